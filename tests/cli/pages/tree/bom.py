import acme; acme.fast()
