# libcmrt: included by the Makefile. Static and shared, with only cm* symbols to be seen.

CMRT_SRC := $(wildcard runtime/src/*.c)
CMRT_OBJ := $(CMRT_SRC:%.c=$(OBJ)/%.o)
CMRT_A := $(BUILD)/libcmrt.a
CMRT_SO := $(BUILD)/libcmrt.so
CMRT_PC := $(BUILD)/cmrt.pc
CMRT_CMAKE := $(BUILD)/CUDAMorphConfig.cmake
CMRT_HEADERS := $(wildcard $(addprefix runtime/include/cuda_morph/,*.def *.hpp cpu/* sycl/*))
CMRT_LIBDIR ?= $(PREFIX)/lib
# Collectives between processes: only where there is an MPI to build them with.
MPICC ?= $(shell command -v mpicc 2>/dev/null)
CMRT_MPI := $(if $(MPICC),$(BUILD)/libcmrt_mpi.so)
CMRT_FLAGS := -std=c11 -D_GNU_SOURCE -pthread -fPIC -fvisibility=hidden -Iruntime/include \
    $(CPPFLAGS) $(CFLAGS) $(ERRORS) $(SAN_FLAGS)

$(CMRT_OBJ): $(OBJ)/%.o: %.c $(BUILD)/flags
	@echo "  CC      $<"
	@mkdir -p $(@D)
	$(Q)$(CC) $(CMRT_FLAGS) -MMD -MP -c -o $@ $<

$(CMRT_A): $(CMRT_OBJ)
	@echo "  AR      $@"
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

$(CMRT_SO): $(CMRT_OBJ)
	@echo "  LD      $@"
	$(Q)$(CC) -shared $(ALL_LDFLAGS) -Wl,-soname,libcmrt.so.0 -o $@ $^
	@ln -sf libcmrt.so $@.0

$(BUILD)/libcmrt_mpi.so: runtime/mpi/mpi.c runtime/src/comm.h $(BUILD)/flags
	@echo "  MPICC   $<"
	$(Q)OMPI_CC='$(CC)' MPICH_CC='$(CC)' $(MPICC) $(CMRT_FLAGS) -shared $(ALL_LDFLAGS) -o $@ $<

# Where things are installed is asked again each time: `make && make install PREFIX=DIR` is usual.
# The loader looks into /usr/lib by itself; elsewhere a program has to know where the library lies.
CMRT_RPATH = $(if $(filter /usr,$(PREFIX)),,-Wl,-rpath,$${libdir} )
$(CMRT_PC) $(CMRT_CMAKE): $(BUILD)/%: runtime/%.in FORCE
	@mkdir -p $(@D)
	@sed -e 's|@prefix@|$(PREFIX)|; s|@includedir@|$(INCLUDEDIR)|; s|@libdir@|$(CMRT_LIBDIR)|' \
	    -e 's|@rpath@|$(CMRT_RPATH)|' $< >$@.now
	@if cmp -s $@.now $@; then rm $@.now; else mv $@.now $@; fi

# The folder that stands for NVIDIA's toolkit: `cuda-morph cc` compiles and links with it, and build
# systems look into it. Its library has no name of its own: a linker then writes down the path where
# it found it, so that programs find it without an rpath, whoever links them and wherever the
# folder lies by then. For -l linkers would write the last part of the path only, so what they find
# by it is a text that names the library (tools/toolkit.sh).
TOOLKIT := $(BUILD)/cuda
TOOLKIT_DIR ?= $(LIBDIR)/cuda
toolkit_library = $(CC) -shared $(ALL_LDFLAGS) -o '$1/lib64/libcmrt.so.0' $(CMRT_OBJ)

CHECK_OBJ := $(OBJ)/runtime/check/hooks.o
$(CHECK_OBJ): runtime/check/hooks.c runtime/include/cuda_morph/check.h $(BUILD)/flags
	@echo "  CC      $<"
	@mkdir -p $(@D)
	$(Q)$(CC) $(filter-out -fsanitize=%,$(CMRT_FLAGS)) -c -o $@ $<

$(TOOLKIT)/lib64/libcmrt.so.0: $(CHECK_OBJ) $(CMRT_OBJ) $(CMRT_MPI) tools/toolkit.sh rules/data/nvcc-options.json \
    $(TOOLKIT_HEADERS) $(BIN) $(CMRT_HEADERS) $(HEADERS)
	@echo "  CUDA    $(TOOLKIT)"
	$(Q)rm -rf '$(TOOLKIT)'
	$(Q)tools/toolkit.sh '$(TOOLKIT)' '$(abspath $(TOOLKIT))' '$(abspath $(BIN))' \
	    '$(abspath runtime/include)' '$(abspath $(BUILD))' $(TOOLKIT_HEADERS)
	$(Q)$(AR) rcs $(TOOLKIT)/lib64/libcmrt_check.a $(CHECK_OBJ)
	$(Q)$(call toolkit_library,$(TOOLKIT))

-include $(CMRT_OBJ:.o=.d)

install-runtime: runtime
	install -d '$(DESTDIR)$(CMRT_LIBDIR)/pkgconfig' '$(DESTDIR)$(CMRT_LIBDIR)/cmake/CUDAMorph' \
	    '$(DESTDIR)$(INCLUDEDIR)/cuda_morph/cpu' '$(DESTDIR)$(INCLUDEDIR)/cuda_morph/sycl'
	install -m 644 $(CMRT_A) $(CMRT_SO) $(CMRT_MPI) '$(DESTDIR)$(CMRT_LIBDIR)'
	ln -sf libcmrt.so '$(DESTDIR)$(CMRT_LIBDIR)/libcmrt.so.0'
	install -m 644 $(CMRT_PC) '$(DESTDIR)$(CMRT_LIBDIR)/pkgconfig'
	install -m 644 $(CMRT_CMAKE) '$(DESTDIR)$(CMRT_LIBDIR)/cmake/CUDAMorph'
	$(foreach f,$(CMRT_HEADERS:runtime/include/%=%),install -m 644 runtime/include/$f \
	    '$(DESTDIR)$(INCLUDEDIR)/$f' &&) :
	rm -rf '$(DESTDIR)$(TOOLKIT_DIR)'
	tools/toolkit.sh '$(DESTDIR)$(TOOLKIT_DIR)' '$(TOOLKIT_DIR)' '$(BINDIR)/cuda-morph' \
	    '$(INCLUDEDIR)' '$(CMRT_LIBDIR)' $(TOOLKIT_HEADERS)
	$(call toolkit_library,$(DESTDIR)$(TOOLKIT_DIR))
	$(AR) rcs '$(DESTDIR)$(TOOLKIT_DIR)/lib64/libcmrt_check.a' $(CHECK_OBJ)
	install -d '$(DESTDIR)$(BINDIR)'
	ln -sf cuda-morph '$(DESTDIR)$(BINDIR)/cmcc'

uninstall-runtime:
	rm -f $(CMRT_HEADERS:runtime/include/%='$(DESTDIR)$(INCLUDEDIR)/%') \
	    $(addprefix '$(DESTDIR)$(CMRT_LIBDIR)'/,libcmrt.a libcmrt.so libcmrt.so.0 libcmrt_mpi.so \
	    pkgconfig/cmrt.pc cmake/CUDAMorph/CUDAMorphConfig.cmake)
	rm -f '$(DESTDIR)$(BINDIR)/cmcc'
	rm -rf '$(DESTDIR)$(TOOLKIT_DIR)'
	@rmdir '$(DESTDIR)$(INCLUDEDIR)/cuda_morph/sycl' \
	    '$(DESTDIR)$(INCLUDEDIR)/cuda_morph/cpu' '$(DESTDIR)$(CMRT_LIBDIR)/pkgconfig' \
	    '$(DESTDIR)$(CMRT_LIBDIR)/cmake/CUDAMorph' '$(DESTDIR)$(CMRT_LIBDIR)/cmake' \
	    2>/dev/null || :

.PHONY: install-runtime uninstall-runtime
