# SPDX-License-Identifier: Apache-2.0
# mirror.sh - sourced by scripts that make a Debian of their own, or read the lists of another one:
# $mirror is the Debian mirror that this machine's apt uses, empty where there is none, and
# http_proxy its proxy, if it has one. So no host is named in this project.
mirror=$(apt-get indextargets --format '$(CREATED_BY) $(REPO_URI) $(LABEL)' 2>/dev/null |
    sed -n 's/^Packages \(http[^ ]*\) Debian$/\1/p' | head -n 1)
eval "$(apt-config shell http_proxy Acquire::http::Proxy 2>/dev/null)"
[ -z "${http_proxy-}" ] || export http_proxy
