@include head.cpp@
constexpr size_t TILE = 16;

/* c = a x b by tiles in local memory; a is m x k, b is k x n. */
static void @name@(sycl::queue &q, const float *a, const float *b, float *c, size_t m, size_t n,
                   size_t k)
{
    size_t rows = (m + TILE - 1) / TILE * TILE, columns = (n + TILE - 1) / TILE * TILE;
    q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 2> ta(sycl::range<2>(TILE, TILE + 1), h);
        sycl::local_accessor<float, 2> tb(sycl::range<2>(TILE, TILE + 1), h);
        sycl::nd_range<2> all(sycl::range<2>(rows, columns), sycl::range<2>(TILE, TILE));
        h.parallel_for(all, [=](sycl::nd_item<2> item) {
            size_t ty = item.get_local_id(0), tx = item.get_local_id(1);
            size_t row = item.get_global_id(0), column = item.get_global_id(1);
            float sum = 0;
            for (size_t at = 0; at < k; at += TILE) {
                ta[ty][tx] = row < m && at + tx < k ? a[row * k + at + tx] : 0.0f;
                tb[ty][tx] = at + ty < k && column < n ? b[(at + ty) * n + column] : 0.0f;
                sycl::group_barrier(item.get_group());
                for (size_t i = 0; i < TILE; i++) sum += ta[ty][i] * tb[i][tx];
                sycl::group_barrier(item.get_group());
            }
            if (row < m && column < n) c[row * n + column] = sum; // Yours
        });
    });
    q.wait_and_throw();
}

@include host.cpp@
int main()
{
    static_assert(TILE * TILE == GROUP, "a work-group is one tile");
    sycl::queue q{sycl::default_selector_v, sycl::property::queue::in_order()};
    const size_t m = 65, n = 47, k = 33;
    std::vector<float> a(m * k), b(k * n), want(m * n, 0.0f);
    for (size_t i = 0; i < a.size(); i++) a[i] = static_cast<float>(i % 5);
    for (size_t i = 0; i < b.size(); i++) b[i] = static_cast<float>(i % 7);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t l = 0; l < k; l++) want[i * n + j] += a[i * k + l] * b[l * n + j];
    float *da = upload(q, a), *db = upload(q, b);
    float *dc = upload(q, std::vector<float>(m * n, -1.0f));
    @name@(q, da, db, dc, m, n, k);
    return compare(download(q, dc, m * n), want, 0);
}
