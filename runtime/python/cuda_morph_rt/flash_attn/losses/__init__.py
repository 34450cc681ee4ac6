"""See cuda_morph_rt.flash_attn."""
