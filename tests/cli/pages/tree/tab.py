import acme

if acme.word2:
	z = [acme.fast(n) for n in "文"] # %0A::error::
x =	acme.fast(2)  # cuda-morph: ignore[acme-fast] Acme asked for it
y = 1  # cuda-morph: ignore
