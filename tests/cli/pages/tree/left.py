import acme
中 = acme.left("文", acme.word2)
	x = 1
