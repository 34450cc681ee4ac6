# cuda-morph. `make help` lists the targets and the variables.
#
# The first run installs what is missing (tools/bootstrap.sh): a compiler and two libraries from
# Debian's packages when root, and the pinned grammars from npm.

.DELETE_ON_ERROR:
.SUFFIXES:

# ---- settings ----

SAN ?=
BUILD ?= $(if $(SAN),build/$(SAN:1=san),build)
CFLAGS ?= -O2 -g -Wall -Wextra
# Warnings of compilers to come are no errors, but of those that CI has.
WERROR ?=
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
INCLUDEDIR ?= $(PREFIX)/include
MANDIR ?= $(PREFIX)/share/man
DOCDIR ?= $(PREFIX)/share/doc/cuda-morph
# The program looks for these two at ../lib/cuda-morph and ../share/cuda-morph/python.
LIBDIR ?= $(PREFIX)/lib/cuda-morph
PYTHONDIR ?= $(PREFIX)/share/cuda-morph/python
BASHDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
FISHDIR ?= $(PREFIX)/share/fish/vendor_completions.d
CLANG_FORMAT ?= clang-format
# What runs programs that were compiled for another processor: RUN=qemu-s390x-static.
RUN ?=
# Where the programs are that write sources; for another system: of a build for this one.
TOOLS ?= $(BUILD)
V ?=
Q := $(if $(V),,@)

# ---- what is missing, and where the libraries are ----

# Goals that compile nothing need nothing; a dry run only says what is missing. INSTALL=no, too.
INSTALL ?=
ifneq ($(filter-out clean dist format help uninstall test-fresh mutate,$(or $(MAKECMDGOALS),all)),)
    CHECK := $(if $(findstring n,$(firstword -$(MAKEFLAGS))),--check)
    CHECK += $(if $(filter test-all,$(MAKECMDGOALS)),--tests=all,\
        $(if $(filter test sanitize,$(MAKECMDGOALS)),--tests=test))
    ifneq ($(shell CC='$(CC)' CXX='$(CXX)' INSTALL='$(INSTALL)' tools/bootstrap.sh $(CHECK) >&2 \
        && echo ready),ready)
        $(error cannot build without what is named above)
    endif
    PKG_CFLAGS := $(shell pkg-config --cflags libpcre2-8 libcjson)
    PKG_LIBS := $(shell pkg-config --libs libpcre2-8 libcjson)
endif

# ---- files ----

OBJ := $(BUILD)/obj
# Another system's own sources lie in folders of its name.
SYSTEM := $(if $(findstring mingw,$(CC)),windows)
EXE := $(if $(findstring windows,$(SYSTEM)),.exe)
BIN := $(BUILD)/cuda-morph$(EXE)
LIB := $(BUILD)/libcudamorph.a
SHARED := $(BUILD)/libcudamorph.so
RULEC := $(TOOLS)/rulec
BLOB := $(BUILD)/rules_blob.c
EMBED := $(TOOLS)/embed
EMBEDDED_C := $(BUILD)/embedded.c
HEADER_NAMES := $(TOOLS)/header_names
HEADER_NAMES_C := $(BUILD)/runtime_names.c
SYCL_NAMES_C := $(BUILD)/sycl_names.c

# What another system has no use for.
LEFT_OUT_windows := $(addprefix src/,semantic/ask.c semantic/child.c $(addprefix commands/,here.c \
    run.c watch.c sanitize.c env.c cc.c cc_evict.c cc_object.c cc_process.c cc_text.c \
    cache_program.c))
SRC := $(filter-out $(LEFT_OUT_$(SYSTEM)),$(wildcard src/*.c src/*/*.c)) \
    $(if $(SYSTEM),$(wildcard src/*/$(SYSTEM)/*.c))
SRC_OBJ := $(SRC:%.c=$(OBJ)/%.o)
MAIN_OBJ := $(OBJ)/src/main.o
BLOB_OBJ := $(OBJ)/rules_blob.o $(OBJ)/embedded.o $(OBJ)/runtime_names.o \
    $(OBJ)/sycl_names.o
TOOLKIT_HEADERS := $(BUILD)/toolkit_headers
HEADER_NAMES_OBJ := $(filter $(OBJ)/src/base/%,$(SRC_OBJ)) $(OBJ)/tools/header_names.o
EMBED_OBJ := $(filter $(OBJ)/src/base/%,$(SRC_OBJ)) $(OBJ)/tools/embed.o
RULEC_OBJ := $(filter $(OBJ)/src/rules/% $(OBJ)/src/base/%,$(SRC_OBJ)) $(OBJ)/tools/rulec.o
HEADERS := $(wildcard runtime/include/cuda_morph/*.h runtime/include/cuda_morph/*.hpp)
# The folders are in the list because their times tell that a file came or went.
RULES := $(shell find rules -type d -o -name '*.json')
# What the binary carries as it is: data of the diagnostics, templates, Python programs.
EMBEDDED_DIRS := $(wildcard rules/data rules/errors rules/targets rules/versions rules/quant \
    rules/init rules/scaffold runtime/include src/page)
NOTICES := $(BUILD)/notices.txt
EXAMPLES := $(wildcard docs/examples/*)
EMBEDDED := $(shell find $(EMBEDDED_DIRS) -type f ! -name '.*' ! -name '*.pyc' | LC_ALL=C sort)

# Tests of processes, signals and terminals of POSIX are left out, too.
TEST_LEFT_OUT_windows := tests/fixture_python.c tests/fuzz/fuzz_port.c tests/fuzz/fuzz_readers.c \
    $(addprefix tests/unit/test_,base.c discover.c file.c progress.c)
FIXTURE_SRC := $(filter-out $(TEST_LEFT_OUT_$(SYSTEM)),$(wildcard tests/fixture_*.c)) \
    $(if $(SYSTEM),$(wildcard tests/$(SYSTEM)/*.c))
FUZZ_SRC := $(wildcard tests/fuzz/*.c)
TEST_SRC := $(filter-out tests/fixture_%.c $(TEST_LEFT_OUT_$(SYSTEM)),$(wildcard tests/*.c \
    tests/unit/*.c) tests/fuzz/fuzz_port.c tests/fuzz/fuzz_readers.c)
TEST_OBJ := $(patsubst %.c,$(OBJ)/%.o,$(sort $(TEST_SRC) $(FIXTURE_SRC) $(FUZZ_SRC)))
TEST_BIN := $(addprefix $(BUILD)/tests/,$(notdir $(TEST_SRC:.c=$(EXE))))

PYTHON_FILES := $(sort $(patsubst runtime/python/%,%,$(shell find runtime/python -name '*.py' \
    -o -name '*.json')))
PYTHON_PROGRAMS := cuda_morph_rt/bin/python3 cuda_morph_rt/bin/c++
PYTHON_DIRS := $(sort $(patsubst %/,%,$(dir $(PYTHON_FILES) $(PYTHON_PROGRAMS))))
reverse = $(if $1,$(call reverse,$(wordlist 2,$(words $1),$1)) $(firstword $1))

MODULES := grammars/node_modules
TREE_SITTER := $(MODULES)/tree-sitter/vendor/tree-sitter/lib
GRAMMARS := $(addsuffix /src,$(addprefix $(MODULES)/,tree-sitter-python tree-sitter-cuda \
    @tree-sitter-grammars/tree-sitter-toml))
VENDOR_SRC := $(TREE_SITTER)/src/lib.c $(addsuffix /parser.c,$(GRAMMARS)) \
    $(addsuffix /scanner.c,$(GRAMMARS))
VENDOR_OBJ := $(VENDOR_SRC:%.c=$(OBJ)/%.o)
# npm gives the sources dates of long ago; this file dates from the moment they were installed.
VENDOR_STAMP := $(MODULES)/.lock-sha256

# ---- flags ----

ERRORS := $(if $(WERROR),-Werror)

ifneq ($(SAN),)
    # Foreign code has habits that UBSan minds, so it gets ASan only.
    VENDOR_SAN_FLAGS := -fsanitize=address -fno-omit-frame-pointer
    SAN_FLAGS := $(VENDOR_SAN_FLAGS) -fsanitize=undefined -fno-sanitize-recover=all
    ifeq ($(SAN),thread)
        VENDOR_SAN_FLAGS := -fsanitize=thread
        SAN_FLAGS := $(VENDOR_SAN_FLAGS)
    endif
    ifeq ($(SAN),memory) # of clang
        VENDOR_SAN_FLAGS := -fsanitize=memory -fno-omit-frame-pointer
        SAN_FLAGS := $(VENDOR_SAN_FLAGS)
    endif
    ifeq ($(SAN),fuzzer) # of clang: counts what the readers reach; tests/libfuzzer.sh
        VENDOR_SAN_FLAGS := -fsanitize=address,fuzzer-no-link -fno-omit-frame-pointer
        SAN_FLAGS := $(VENDOR_SAN_FLAGS)
    endif
endif
SYSTEM_FLAGS_windows := -Isrc/base/windows/include -include src/base/windows/posix.h \
    -DPCRE2_STATIC -DCJSON_HIDE_SYMBOLS
# The main thread needs as much stack as it has on Linux.
SYSTEM_LDFLAGS_windows := -static -Wl,--stack,8388608
# Position-independent throughout: the same objects make the program and the shared library.
ALL_CFLAGS := -std=c11 -D_GNU_SOURCE -pthread -fPIC -fno-semantic-interposition \
    $(SYSTEM_FLAGS_$(SYSTEM)) -Isrc -I$(TREE_SITTER)/include -I$(BUILD) $(PKG_CFLAGS) \
    $(CPPFLAGS) $(CFLAGS) $(ERRORS) $(SAN_FLAGS)
ALL_LDFLAGS := -pthread $(CFLAGS) $(LDFLAGS) $(SYSTEM_LDFLAGS_$(SYSTEM)) $(SAN_FLAGS)
ALL_LIBS := $(PKG_LIBS) $(if $(SYSTEM),,-ldl) -lm $(LDLIBS)
VENDOR_CFLAGS := -std=c11 -D_GNU_SOURCE -fPIC -fno-semantic-interposition \
    -DNDEBUG -DTREE_SITTER_REUSE_ALLOCATOR -I$(TREE_SITTER)/include -O2 -g -w $(VENDOR_SAN_FLAGS)

# ---- build ----

all: $(BIN) $(SHARED) $(BUILD)/python runtime ## build build/cuda-morph and build/libcudamorph.so

$(BIN): $(MAIN_OBJ) $(LIB)
	@echo "  LD      $@"
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS)

# Everything but main.c, for the tests; made anew, so that no member outlives its source.
$(LIB): $(filter-out $(MAIN_OBJ),$(SRC_OBJ)) $(BLOB_OBJ) $(VENDOR_OBJ)
	@echo "  AR      $@"
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

# What libcudamorph.so exports is listed in src/capi/exports.map, and nothing else.
$(SHARED): $(OBJ)/src/capi/capi.o $(LIB) src/capi/exports.map
	@echo "  LD      $@"
	$(Q)$(CC) -shared $(ALL_LDFLAGS) -Wl,--version-script=src/capi/exports.map -o $@ \
	    $(filter %.o %.a,$^) $(ALL_LIBS)

# `cuda-morph run` looks for its Python part beside the program.
$(BUILD)/python:
	@mkdir -p $(@D)
	@case '$(BUILD)' in \
	/*) ln -sfn '$(CURDIR)/runtime/python' $@ ;; \
	*) ln -sfn "$$(echo '$(BUILD)' | sed 's|[^/][^/]*|..|g')/runtime/python" $@ ;; \
	esac # relative: a copy of the tree has its own

# The rules are compiled by a program that runs here and now, from the sources that read them.
ifeq ($(TOOLS),$(BUILD))
$(RULEC): $(RULEC_OBJ)
$(EMBED): $(EMBED_OBJ)
$(HEADER_NAMES): $(HEADER_NAMES_OBJ)
$(RULEC) $(EMBED) $(HEADER_NAMES):
	@echo "  LD      $@"
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS)

endif

$(TOOLKIT_HEADERS): $(OBJ)/tools/toolkit_headers.o $(LIB)
	@echo "  LD      $@"
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS)

$(BLOB): $(RULEC) $(RULES)
	@echo "  RULES   $@"
	$(Q)$(RUN) $(RULEC) -o $@ rules

# What the headers for kernels in SYCL declare, with their macros and the rows of the tables.
SYCL_ONLY := $(wildcard runtime/include/cuda_morph/sycl/*.hpp)
SYCL_SHARED := math math_special rounding simd small_float blas_types blas_mixed blas_batched \
    sparse_matrices sparse_products sparse_gemm sparse_conversions cub_types cub_exchange \
    dnn_descriptors dnn_tensor dnn_layers dnn_normalization dnn_convolution \
    driver_core driver_memory driver_copy std solver_sized \
    thrust_standard thrust_memory thrust_iterators thrust_functional thrust_algorithms thrust_sorted
SYCL_NAMED := runtime/include/cuda_morph/sycl.hpp $(SYCL_ONLY) \
    $(addprefix runtime/include/cuda_morph/,types.h ptx.h vector_types.h channels.hpp texture.hpp \
    $(addprefix cpu/,$(addsuffix .hpp,$(SYCL_SHARED))) \
    parts.hpp fp16.h bf16.h fp8.h complex.h nvtx.h nvtx_attributes.h math_constants.h \
    blas.h blaslt.h comm_types.h dnn.h dnn_types.h fft.h gl.h rand.h solver.h sparse.h curand_kernel.h library_types.h \
    errors.def attributes.def driver_errors.def) # macros before what they make
$(SYCL_NAMES_C): $(HEADER_NAMES) $(SYCL_NAMED)
	@echo "  NAMES   $@"
	$(Q)sed -nE -e 's/^#define ([A-Za-z_0-9]+).*/int \1();/p' \
	    -e 's/^(typedef )?(enum|struct|union) (\w+) \{.*/int \3();/p' \
	    -e 's/^CM_ERROR\((\w+),.*/int \1();/p' \
	    -e 's/^CM_DRV\((\w+),.*/int CM_DRV_\1();/p' \
	    -e 's/^CM_ATTRIBUTE\((\w+),.*/int cmDevAttr\1();/p' $(SYCL_NAMED) >$(BUILD)/sycl_names.h
	$(Q)$(RUN) $(HEADER_NAMES) -o $@.new $(filter %.h %.hpp,$(SYCL_NAMED)) $(BUILD)/sycl_names.h
	$(Q)sed 's/cm_header_name/cm_sycl_name/' $@.new >$@
	$(Q)rm -f $@.new

# What the headers for ported C++ declare: those for programs on libcmrt.
NAMED := $(filter-out %/hip_ext.h %/hip_atomic.h %/hip_rounding.h %/hip_blas.h %/hip_simd.h \
    %/hip_half.h %/hip_vector.h \
    %/hip_math.h %/hip_minmax.h %/hip_macros.h %/hip_surface.h %/hip_wmma.h %/hip_nvtx.h \
    %/sycl.hpp $(SYCL_ONLY),\
    $(filter runtime/include/%,$(EMBEDDED)))
$(HEADER_NAMES_C): $(HEADER_NAMES) $(NAMED)
	@echo "  NAMES   $@"
	$(Q)$(RUN) $(HEADER_NAMES) -o $@ $(filter %.h %.hpp,$(NAMED))

# The licences of what is inside.
$(NOTICES): tools/notices.sh $(VENDOR_STAMP)
	@mkdir -p $(@D)
	$(Q)tools/notices.sh >$@

# In byte order of the names: capitals first.
$(EMBEDDED_C): $(EMBED) $(EMBEDDED) $(NOTICES) $(shell find $(EMBEDDED_DIRS) -type d)
	@echo "  EMBED   $@"
	$(Q)$(RUN) $(EMBED) -o $@ NOTICES=$(NOTICES) $(EMBEDDED)

$(BLOB_OBJ): $(OBJ)/%.o: $(BUILD)/%.c $(BUILD)/flags
	@echo "  CC      $<"
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

TOOL_OBJ := $(addprefix $(OBJ)/tools/,rulec.o embed.o header_names.o toolkit_headers.o)
$(SRC_OBJ) $(TEST_OBJ) $(TOOL_OBJ): $(OBJ)/%.o: %.c $(BUILD)/flags $(VENDOR_STAMP)
	@echo "  CC      $<"
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# One grammar's scanner asks for its memory by other names than the rest of tree-sitter.
$(filter %/scanner.o,$(VENDOR_OBJ)): VENDOR_CFLAGS += -Dcalloc=ts_calloc -Dfree=ts_free
$(VENDOR_OBJ): $(OBJ)/%.o: %.c $(BUILD)/vendor-flags $(VENDOR_STAMP)
	@echo "  CC      $<"
	@mkdir -p $(@D)
	$(Q)$(CC) -I$(<D) $(VENDOR_CFLAGS) -c -o $@ $<

define test_program
$(BUILD)/tests/$(notdir $(1:.c=$(EXE))): $(1:%.c=$(OBJ)/%.o) $(LIB)
endef
$(BUILD)/tests/run_fixtures$(EXE): $(FIXTURE_SRC:%.c=$(OBJ)/%.o)
$(BUILD)/tests/fuzz_port $(BUILD)/tests/fuzz_readers: $(OBJ)/tests/fuzz/mutate.o
$(foreach t,$(TEST_SRC),$(eval $(call test_program,$t)))
# The readers as targets of libFuzzer, with SAN=fuzzer.
FUZZERS := $(BUILD)/fuzzers/fuzz_port $(BUILD)/fuzzers/fuzz_readers
$(FUZZERS): $(BUILD)/fuzzers/%: tests/fuzz/%.c $(LIB)
	@echo "  LD      $@"
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -DLIBFUZZER $(ALL_LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(ALL_LIBS)

fuzzers: $(FUZZERS)

$(TEST_BIN):
	@echo "  LD      $@"
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS)

# They change only when the compiler or its flags do.
$(BUILD)/flags: FLAGS_NOW = $(CC) $(ALL_CFLAGS)
$(BUILD)/vendor-flags: FLAGS_NOW = $(CC) $(VENDOR_CFLAGS)
$(BUILD)/flags $(BUILD)/vendor-flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(subst ','\'',$(FLAGS_NOW))' >$@.now
	@if cmp -s $@.now $@; then rm $@.now; else mv $@.now $@; fi

-include $(SRC_OBJ:.o=.d) $(TEST_OBJ:.o=.d) $(TOOL_OBJ:.o=.d)

include runtime/runtime.mk

runtime: $(CMRT_A) $(CMRT_SO) $(CMRT_MPI) $(CMRT_PC) $(CMRT_CMAKE) $(TOOLKIT)/lib64/libcmrt.so.0 ## build libcmrt, for programs ported to cpu

# ---- run ----

# The scripts find what was built through BUILD.
SCRIPTED := demo test test-all test-fresh bench bench-runtime
$(SCRIPTED): export BUILD := $(BUILD)

demo: all ## show what it does on small programs
	tests/demo.sh

# SUITE and CHECKOUT: tests/suites.txt
# Without libcmrt and the shared library: what tests/cross.sh compiles.
test-programs: $(BIN) $(TEST_BIN)

test: all $(TEST_BIN) ## build and test; SUITE="NAME...": these suites, of the list below
	sh tests/run.sh $(or $(SUITE),test)

test-all: all $(TEST_BIN) ## every suite that needs nothing but what can be installed
	sh tests/run.sh all

test-fresh: ## `make demo` and `make test` in a Debian 12 with git and make, made for it (DEBIAN=trixie: 13)
	sh tests/fresh.sh

bench: all bench-runtime ## measure speed
	tests/bench.sh

bench-runtime: runtime ## measure kernels and launches of libcmrt
	tests/bench_runtime.sh

sanitize: ## build under build/san with ASan and UBSan, and run every test
	$(MAKE) --no-print-directory BUILD=$(BUILD)/san SAN=1 test

fuzz: SECONDS = 60
fuzz: $(BUILD)/tests/fuzz_port ## port damaged programs for SECONDS=60; SAN=1 sees more
	$< --strict --seconds $(SECONDS) --seed $${SEED:-$$$$} --save $(BUILD)/fuzz tests/fixtures

fuzz-kernels: all ## random kernels as loops, as fibers and as they should be: N=1000 SEED= SECONDS=
	BUILD=$(BUILD) python3 tests/fuzz/kernels.py --seed $${SEED:-$$$$} --count $(or $(N),1000) \
	    $(addprefix --seconds=,$(SECONDS)) --save $(BUILD)/fuzz-kernels

dist: ## make packages in build/dist: sources, archives, .deb, wheel, npm's, SBOM; ONLY="wheel"
	tools/dist/dist.sh $(ONLY)

mutate: ## change src at random and see which tests notice: N=100 SEED=1 DIR=src/FOLDER
	python3 tests/mutate/mutate.py -n $(or $(N),100) --seed $(or $(SEED),1) --build $(BUILD) $(or $(DIR),src)

coverage: ## which lines of src the suites run, by folder: SUITE="unit rules fixtures cli"
	$(MAKE) --no-print-directory BUILD=$(BUILD)/coverage CFLAGS='-O0 -g --coverage' \
	    SUITE="$(or $(SUITE),unit rules fixtures cli)" test
	sh tests/coverage.sh $(BUILD)/coverage

# ---- manual page, completions, pages of the rules ----

MAN := $(BUILD)/cuda-morph.1
SCHEMA := $(BUILD)/cuda-morph.schema.json
COMPLETIONS := $(addprefix $(BUILD)/completion.,bash zsh fish powershell)
# One page for each command, too: man cuda-morph-port.
COMMANDS := $(shell sed -n 's/^COMMAND.[A-Z]*, \([a-z]*\),.*/\1/p;s/^COMMAND_AS.[A-Z_]*, [a-z_]*, "\([a-z-]*\)".*/\1/p' src/cli/options.def)
COMMAND_MANS := $(COMMANDS:%=$(BUILD)/cuda-morph-%.1)

$(MAN): $(BIN)
	@echo "  MAN     $@"
	$(Q)$(BIN) help --man >$@

$(COMMAND_MANS): $(BUILD)/cuda-morph-%.1: $(BIN)
	$(Q)$(BIN) help --man $* >$@

$(SCHEMA): $(BIN)
	@echo "  SCHEMA  $@"
	$(Q)$(BIN) help --schema >$@

$(COMPLETIONS): $(BUILD)/completion.%: $(BIN)
	@echo "  SHELL   $@"
	$(Q)$(BIN) completion $* >$@

docs: all ## write docs/rules, docs/targets, the cookbook and the README's picture anew
	$(Q)$(BIN) rules docs -o docs/rules
	$(Q)sh tools/readme_targets.sh
	$(Q)python3 tools/target_pages.py
	$(Q)python3 tools/cookbook.py
	$(Q)BUILD=$(BUILD) tools/picture.sh >docs/picture.svg

score: all ## a table of public projects by seven targets: CHECKOUT=DIR with the clones, HIPIFY_PERL=FILE
	@[ -n "$(CHECKOUT)" ] || { echo "make score CHECKOUT=DIR; tests/score.tsv lists what to clone"; exit 2; }
	$(Q)python3 tests/score.py $(BIN) "$(CHECKOUT)" $(HIPIFY_PERL) --svg $(BUILD)/score.svg

site: all ## the docs as a site of static pages, with search: build/site/html; needs node and npm
	$(Q)cmp -s tools/site/package-lock.json tools/site/node_modules/.done || { (cd tools/site && npm install --silent --no-save) && \
	    cp tools/site/package-lock.json tools/site/node_modules/.done; }
	$(Q)mkdir -p build/site && ln -sfn ../../tools/site/node_modules build/site/node_modules
	$(Q)node tools/site/stage.mjs $(BIN) build/site
	$(Q)tools/site/node_modules/.bin/vitepress build build/site/src --outDir build/site/html >build/site/log 2>&1 || \
	    { cat build/site/log; exit 1; }
	@echo "build/site/html: open with python3 -m http.server -d build/site/html"

# ---- install ----

install: install-runtime
install: all $(MAN) $(COMMAND_MANS) $(SCHEMA) $(COMPLETIONS) $(NOTICES) ## install program, man page, completions, headers, Python part
	install -d '$(DESTDIR)$(INCLUDEDIR)/cuda_morph' \
	    '$(DESTDIR)$(BINDIR)' '$(DESTDIR)$(MANDIR)/man1' '$(DESTDIR)$(DOCDIR)/examples' \
	    '$(DESTDIR)$(BASHDIR)' '$(DESTDIR)$(ZSHDIR)' '$(DESTDIR)$(FISHDIR)' \
	    '$(DESTDIR)$(LIBDIR)' $(patsubst %,'$(DESTDIR)$(PYTHONDIR)/%',$(PYTHON_DIRS))
	install -m 755 $(BIN) '$(DESTDIR)$(BINDIR)/cuda-morph'
	install -m 644 $(SHARED) '$(DESTDIR)$(LIBDIR)/libcudamorph.so'
	$(foreach f,$(PYTHON_FILES),install -m 644 runtime/python/$f '$(DESTDIR)$(PYTHONDIR)/$f' &&) :
	install -m 755 $(PYTHON_PROGRAMS:%='runtime/python/%') '$(DESTDIR)$(PYTHONDIR)/cuda_morph_rt/bin'
	install -m 644 $(MAN) $(COMMAND_MANS) '$(DESTDIR)$(MANDIR)/man1'
	install -m 644 LICENSE $(NOTICES) $(SCHEMA) '$(DESTDIR)$(DOCDIR)'
	install -m 644 $(EXAMPLES) '$(DESTDIR)$(DOCDIR)/examples'
	install -m 644 $(HEADERS) '$(DESTDIR)$(INCLUDEDIR)/cuda_morph'
	install -m 644 $(BUILD)/completion.bash '$(DESTDIR)$(BASHDIR)/cuda-morph'
	install -m 644 $(BUILD)/completion.zsh '$(DESTDIR)$(ZSHDIR)/_cuda-morph'
	install -m 644 $(BUILD)/completion.fish '$(DESTDIR)$(FISHDIR)/cuda-morph.fish'
	install -m 644 $(BUILD)/completion.powershell '$(DESTDIR)$(dir $(PYTHONDIR))completion.ps1'

uninstall: uninstall-runtime ## remove what install put there
	rm -f '$(DESTDIR)$(BINDIR)/cuda-morph' '$(DESTDIR)$(MANDIR)/man1/cuda-morph.1' \
	    $(COMMANDS:%='$(DESTDIR)$(MANDIR)/man1/cuda-morph-%.1') \
	    '$(DESTDIR)$(dir $(PYTHONDIR))completion.ps1' \
	    '$(DESTDIR)$(DOCDIR)/LICENSE' '$(DESTDIR)$(DOCDIR)/notices.txt' \
	    '$(DESTDIR)$(DOCDIR)/$(notdir $(SCHEMA))' '$(DESTDIR)$(BASHDIR)/cuda-morph' \
	    $(EXAMPLES:docs/%='$(DESTDIR)$(DOCDIR)/%') \
	    '$(DESTDIR)$(ZSHDIR)/_cuda-morph' '$(DESTDIR)$(FISHDIR)/cuda-morph.fish' \
	    $(HEADERS:runtime/include/%='$(DESTDIR)$(INCLUDEDIR)/%')
	rm -f '$(DESTDIR)$(LIBDIR)/libcudamorph.so' \
	    $(patsubst %,'$(DESTDIR)$(PYTHONDIR)/%',$(PYTHON_PROGRAMS) $(PYTHON_FILES))
	@rm -rf $(patsubst %,'$(DESTDIR)$(PYTHONDIR)/%/__pycache__',$(PYTHON_DIRS))
	@rmdir '$(DESTDIR)$(DOCDIR)/examples' '$(DESTDIR)$(DOCDIR)' '$(DESTDIR)$(INCLUDEDIR)/cuda_morph' '$(DESTDIR)$(LIBDIR)' \
	    $(patsubst %,'$(DESTDIR)$(PYTHONDIR)/%',$(call reverse,$(PYTHON_DIRS))) \
	    '$(DESTDIR)$(PYTHONDIR)' '$(dir $(DESTDIR)$(PYTHONDIR))' 2>/dev/null || :

# ---- care ----

format: ## lay out the C and C++ sources as .clang-format says
	$(CLANG_FORMAT) -i --style=file \
	    $(wildcard $(addsuffix /*.[ch],src src/* src/*/windows \
	    src/base/windows/include tools tests tests/unit tests/runtime \
	    tests/vendors tests/fuzz tests/bench runtime/src runtime/include/cuda_morph) \
	    $(addsuffix /*.[ch]pp,runtime/include/cuda_morph/cpu \
	    runtime/include/cuda_morph/sycl tests/runtime tests/emulate/src) \
	    tests/emulate/src/*.h)

clean: ## remove what was built
	rm -rf $(BUILD)

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' Makefile
	@echo 'Suites, for make test SUITE=NAME (tests/suites.txt):'
	@awk -F ' +[|] ' '/^[a-z]/ {printf "  %-14s %s%s\n", $$1, $$3, \
	    $$2 == "CHECKOUT" ? ": CHECKOUT=DIR" : ""}' tests/suites.txt
	@echo 'Variables: BUILD=DIR SAN=1 V=1 WERROR=1 INSTALL=no CC CFLAGS CPPFLAGS LDFLAGS LDLIBS'
	@echo '           DESTDIR PREFIX BINDIR INCLUDEDIR MANDIR DOCDIR BASHDIR ZSHDIR FISHDIR'

FORCE:
.PHONY: all test-programs site score runtime $(SCRIPTED) dist sanitize fuzz fuzzers fuzz-kernels mutate coverage docs install \
    install-runtime uninstall uninstall-runtime format clean help FORCE
