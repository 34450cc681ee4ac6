@include run_tiling.h@
