"""What Python programs ported by cuda-morph need at run time, and the import hook of
`cuda-morph run`. Importing the package loads nothing and changes nothing."""
