import acme
x = acme.left(acme.fast(1))
y = acme.fast  # cuda-morph: ignore
