import acme
x = (acme.fast(1)
