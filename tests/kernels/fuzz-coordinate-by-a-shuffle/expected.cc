int expected(const run &r, int t) { return r.in[t] + t / r.warp * r.warp + 8; }
