@include head.cpp@
/* The sum of each row: one work-group per row. */
static void @name@(sycl::queue &q, const float *x, float *z, size_t rows, size_t columns)
{
    q.parallel_for(sycl::nd_range<1>(rows * GROUP, GROUP), [=](sycl::nd_item<1> item) {
        const float *row = x + item.get_group(0) * columns;
        float sum = 0;
        for (size_t i = item.get_local_id(0); i < columns; i += GROUP) sum += row[i]; // Yours
        sum = sycl::reduce_over_group(item.get_group(), sum, sycl::plus<float>());
        if (item.get_local_id(0) == 0) z[item.get_group(0)] = sum;
    });
    q.wait_and_throw();
}

@include host.cpp@
int main()
{
    sycl::queue q{sycl::default_selector_v, sycl::property::queue::in_order()};
    const size_t rows = 301, columns = 1003;
    std::vector<float> x(rows * columns), want(rows, 0.0f);
    for (size_t i = 0; i < x.size(); i++) {
        x[i] = static_cast<float>(i % 17);
        want[i / columns] += x[i]; // Yours: whole numbers, so that any order gives the same
    }
    float *dx = upload(q, x), *dz = upload(q, std::vector<float>(rows, -1.0f));
    @name@(q, dx, dz, rows, columns);
    return compare(download(q, dz, rows), want, 0);
}
