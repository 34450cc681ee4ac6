// SPDX-License-Identifier: Apache-2.0
// cuDNN's batch normalization, by both of its interfaces (BatchNormalization, Normalization), with
// the sum and the activation that can be joined to it. One item of work is one channel, or one
// activation: what shares a mean and a variance.
#ifndef CUDA_MORPH_CPU_DNN_NORMALIZATION_HPP
#define CUDA_MORPH_CPU_DNN_NORMALIZATION_HPP

namespace cm {
namespace dnn {

// Which elements of a tensor share statistics that lie in a tensor `stat` of the same rank.
struct normal_ranges {
    tensor outer, along;
    normal_ranges(const tensor &t, const tensor &stat) : outer(t), along(t) {
        for (int d = 0; d < t.rank; d++) (stat.dim[d] == 1 ? outer : along).dim[d] = 1;
    }
};

// All that the functions below hand on; what is NULL is not there.
struct normalizing {
    const void *alpha, *beta;
    const tensor *xt, *yt, *zt, *stat;
    const void *x, *z, *scale, *bias;
    void *y;
    const void *mean, *variance;      // inference: read
    double factor;                    // training: the weight of this batch in the running ones
    void *running_mean, *running_var; // training
    void *saved_mean, *saved_inverse; // training: written
    double epsilon;
    const activation *act;
};

inline bool fit(const tensor *xt, const tensor *yt, const tensor *stat) {
    return xt && yt && stat && xt->same_size(*yt) && stat->spreads_over(*xt) && stat->dim[0] == 1;
}

inline cmDnnStatus_t normalize(cmDnnHandle_t h, const normalizing &how, bool training) {
    if (!fit(how.xt, how.yt, how.stat) || !how.scale || !how.bias || how.epsilon < 0 ||
        (!training && (!how.mean || !how.variance)) ||
        (how.z && (!how.zt || !how.zt->same_size(*how.yt))))
        return CM_DNN_STATUS_BAD_PARAM;
    return computed_in(how.yt->type, [&](auto zero) {
        using R = decltype(zero);
        const blend<R> mix = blending<R>(*how.yt, how.alpha, how.beta);
        const tensor stat = *how.stat;
        const normal_ranges from(*how.xt, stat), to(*how.yt, stat),
            added(how.z ? *how.zt : *how.yt, stat);
        const numbers<R> in = see<R>(how.x, *how.xt), out = see<R>(how.y, *how.yt),
                         more = see<R>(how.z, how.z ? *how.zt : *how.yt),
                         scale = see<R>(how.scale, stat), bias = see<R>(how.bias, stat),
                         mean_in = see<R>(how.mean, stat), var_in = see<R>(how.variance, stat),
                         mean_run = see<R>(how.running_mean, stat),
                         var_run = see<R>(how.running_var, stat),
                         mean_kept = see<R>(how.saved_mean, stat),
                         inv_kept = see<R>(how.saved_inverse, stat);
        const R epsilon = static_cast<R>(how.epsilon), part = static_cast<R>(how.factor);
        const activation identity;
        const activating<R> act(how.act ? *how.act : identity);
        return run(h, stat.count(), [=](int64_t i) {
            const int64_t xs = from.outer.place(i), ys = to.outer.place(i), c = stat.place(i);
            const int64_t zs = added.outer.place(i), n = from.along.count();
            R mean, variance;
            if (training) {
                R sum = 0, squares = 0;
                for (int64_t j = 0; j < n; j++) sum += in.get(xs + from.along.place(j));
                mean = sum / static_cast<R>(n);
                for (int64_t j = 0; j < n; j++) {
                    const R d = in.get(xs + from.along.place(j)) - mean;
                    squares += d * d;
                }
                variance = squares / static_cast<R>(n);
                // the running variance is that of the population that the batch is drawn of
                const R wider = n > 1 ? squares / static_cast<R>(n - 1) : variance;
                if (mean_run.data)
                    mean_run.put(c, part * mean +
                                        (part == R(1) ? R(0) : (R(1) - part) * mean_run.get(c)));
                if (var_run.data)
                    var_run.put(c, part * wider +
                                       (part == R(1) ? R(0) : (R(1) - part) * var_run.get(c)));
            } else {
                mean = mean_in.get(c), variance = var_in.get(c);
            }
            const R inverse = R(1) / sqrt(variance + epsilon);
            if (mean_kept.data) mean_kept.put(c, mean);
            if (inv_kept.data) inv_kept.put(c, inverse);
            const R s = scale.get(c), b = bias.get(c);
            for (int64_t j = 0; j < n; j++) {
                R v = s * (in.get(xs + from.along.place(j)) - mean) * inverse + b;
                if (more.data) v += more.get(zs + added.along.place(j));
                mix.put(out, ys + to.along.place(j), act.forward(v));
            }
        });
    });
}

struct normal_slopes {
    const void *alpha, *beta, *alpha_param, *beta_param; // of dx; of scale's and bias's
    const tensor *xt, *yt, *dyt, *dzt, *dxt, *stat;
    const void *x, *y, *dy, *scale;
    void *dz, *dx, *dscale, *dbias;
    double epsilon;
    const void *saved_mean, *saved_inverse;
    const activation *act;
};

inline cmDnnStatus_t normalize_back(cmDnnHandle_t h, const normal_slopes &how) {
    if (!fit(how.xt, how.dxt, how.stat) || !how.dyt || !how.dyt->same_size(*how.xt) ||
        !how.scale || !how.dscale || !how.dbias ||
        (how.act && (!how.y || !how.yt || !how.yt->same_size(*how.xt))) ||
        (how.dz && (!how.dzt || !how.dzt->same_size(*how.xt))))
        return CM_DNN_STATUS_BAD_PARAM;
    return computed_in(how.dxt->type, [&](auto zero) {
        using R = decltype(zero);
        const blend<R> mix = blending<R>(*how.dxt, how.alpha, how.beta),
                       params = blending<R>(*how.dxt, how.alpha_param, how.beta_param);
        const tensor stat = *how.stat;
        const bool active = how.act != nullptr;
        const normal_ranges from(*how.xt, stat), grown(*how.dyt, stat), to(*how.dxt, stat),
            made(active ? *how.yt : *how.xt, stat), added(how.dz ? *how.dzt : *how.xt, stat);
        const numbers<R> in = see<R>(how.x, *how.xt), g = see<R>(how.dy, *how.dyt),
                         out = see<R>(how.dx, *how.dxt),
                         y = see<R>(how.y, active ? *how.yt : *how.xt),
                         more = see<R>(how.dz, how.dz ? *how.dzt : *how.xt),
                         scale = see<R>(how.scale, stat), dscale = see<R>(how.dscale, stat),
                         dbias = see<R>(how.dbias, stat), mean_kept = see<R>(how.saved_mean, stat),
                         inv_kept = see<R>(how.saved_inverse, stat);
        const R epsilon = static_cast<R>(how.epsilon);
        const activation identity;
        const activating<R> act(active ? *how.act : identity);
        return run(h, stat.count(), [=](int64_t i) {
            const int64_t xs = from.outer.place(i), gs = grown.outer.place(i),
                          os = to.outer.place(i), ys = made.outer.place(i),
                          zs = added.outer.place(i), c = stat.place(i), n = from.along.count();
            const auto slope = [&](int64_t j) {
                const R d = g.get(gs + grown.along.place(j));
                const R v = active ? y.get(ys + made.along.place(j)) : R(1);
                return active ? d * act.slope(v, v) : d;
            };
            R mean = 0, inverse = 0;
            if (mean_kept.data && inv_kept.data) {
                mean = mean_kept.get(c), inverse = inv_kept.get(c);
            } else {
                for (int64_t j = 0; j < n; j++) mean += in.get(xs + from.along.place(j));
                mean /= static_cast<R>(n);
                for (int64_t j = 0; j < n; j++) {
                    const R d = in.get(xs + from.along.place(j)) - mean;
                    inverse += d * d;
                }
                inverse = R(1) / sqrt(inverse / static_cast<R>(n) + epsilon);
            }
            R sum = 0, product = 0;
            for (int64_t j = 0; j < n; j++) {
                const R d = slope(j);
                sum += d;
                product += d * (in.get(xs + from.along.place(j)) - mean) * inverse;
            }
            const R s = scale.get(c) * inverse;
            for (int64_t j = 0; j < n; j++) {
                const R d = slope(j);
                const R x = (in.get(xs + from.along.place(j)) - mean) * inverse;
                if (more.data) more.put(zs + added.along.place(j), d);
                mix.put(out, os + to.along.place(j),
                        s * (d - (sum + x * product) / static_cast<R>(n)));
            }
            params.put(dscale, c, product);
            params.put(dbias, c, sum);
        });
    });
}

} // namespace dnn
} // namespace cm

inline cmDnnStatus_t cmDnnDeriveBNTensorDescriptor(cmDnnTensorDescriptor_t derived,
                                                   cmDnnTensorDescriptor_t xt,
                                                   cmDnnBatchNormMode_t mode) {
    if (!derived || !xt || xt->rank < 4) return CM_DNN_STATUS_BAD_PARAM;
    int dim[CM_DNN_DIM_MAX];
    for (int d = 0; d < xt->rank; d++)
        dim[d] = d == 1 || (d && mode == CM_DNN_BATCHNORM_PER_ACTIVATION) ? xt->dim[d] : 1;
    const bool twice = xt->type == CM_DNN_DATA_DOUBLE;
    return cm::dnn::describe(derived, twice ? CM_DNN_DATA_DOUBLE : CM_DNN_DATA_FLOAT, xt->rank,
                             dim, nullptr, false);
}
inline cmDnnStatus_t cmDnnDeriveNormTensorDescriptor(cmDnnTensorDescriptor_t scale_bias,
                                                     cmDnnTensorDescriptor_t mean_var,
                                                     cmDnnTensorDescriptor_t xt,
                                                     cmDnnNormMode_t mode, int groups) {
    if (groups != 1) return CM_DNN_STATUS_NOT_SUPPORTED;
    const cmDnnBatchNormMode_t as = mode == CM_DNN_NORM_PER_CHANNEL
                                        ? CM_DNN_BATCHNORM_SPATIAL
                                        : CM_DNN_BATCHNORM_PER_ACTIVATION;
    const cmDnnStatus_t status = cmDnnDeriveBNTensorDescriptor(scale_bias, xt, as);
    return status ? status : cmDnnDeriveBNTensorDescriptor(mean_var, xt, as);
}

inline cmDnnStatus_t cmDnnBatchNormalizationForwardInference(
    cmDnnHandle_t h, cmDnnBatchNormMode_t, const void *alpha, const void *beta,
    cmDnnTensorDescriptor_t xt, const void *x, cmDnnTensorDescriptor_t yt, void *y,
    cmDnnTensorDescriptor_t stat, const void *scale, const void *bias, const void *mean,
    const void *variance, double epsilon) {
    cm::dnn::normalizing how = {};
    how.alpha = alpha, how.beta = beta, how.xt = xt, how.x = x, how.yt = yt, how.y = y;
    how.stat = stat, how.scale = scale, how.bias = bias, how.mean = mean;
    how.variance = variance, how.epsilon = epsilon;
    return cm::dnn::normalize(h, how, false);
}
inline cmDnnStatus_t cmDnnBatchNormalizationForwardTrainingEx(
    cmDnnHandle_t h, cmDnnBatchNormMode_t, cmDnnBatchNormOps_t ops, const void *alpha,
    const void *beta, cmDnnTensorDescriptor_t xt, const void *x, cmDnnTensorDescriptor_t zt,
    const void *z, cmDnnTensorDescriptor_t yt, void *y, cmDnnTensorDescriptor_t stat,
    const void *scale, const void *bias, double factor, void *running_mean, void *running_variance,
    double epsilon, void *saved_mean, void *saved_inverse, cmDnnActivationDescriptor_t act, void *,
    size_t, void *, size_t) {
    cm::dnn::normalizing how = {};
    how.alpha = alpha, how.beta = beta, how.xt = xt, how.x = x, how.yt = yt, how.y = y;
    how.stat = stat, how.scale = scale, how.bias = bias, how.factor = factor;
    how.running_mean = running_mean, how.running_var = running_variance, how.epsilon = epsilon;
    how.saved_mean = saved_mean, how.saved_inverse = saved_inverse;
    if (ops == CM_DNN_BATCHNORM_OPS_BN_ADD_ACTIVATION) how.zt = zt, how.z = z;
    if (ops != CM_DNN_BATCHNORM_OPS_BN) how.act = act;
    return cm::dnn::normalize(h, how, true);
}
inline cmDnnStatus_t cmDnnBatchNormalizationForwardTraining(
    cmDnnHandle_t h, cmDnnBatchNormMode_t mode, const void *alpha, const void *beta,
    cmDnnTensorDescriptor_t xt, const void *x, cmDnnTensorDescriptor_t yt, void *y,
    cmDnnTensorDescriptor_t stat, const void *scale, const void *bias, double factor,
    void *running_mean, void *running_variance, double epsilon, void *saved_mean,
    void *saved_inverse) {
    return cmDnnBatchNormalizationForwardTrainingEx(
        h, mode, CM_DNN_BATCHNORM_OPS_BN, alpha, beta, xt, x, nullptr, nullptr, yt, y, stat, scale,
        bias, factor, running_mean, running_variance, epsilon, saved_mean, saved_inverse, nullptr,
        nullptr, 0, nullptr, 0);
}
inline cmDnnStatus_t cmDnnBatchNormalizationBackwardEx(
    cmDnnHandle_t h, cmDnnBatchNormMode_t, cmDnnBatchNormOps_t ops, const void *alpha,
    const void *beta, const void *alpha_param, const void *beta_param, cmDnnTensorDescriptor_t xt,
    const void *x, cmDnnTensorDescriptor_t yt, const void *y, cmDnnTensorDescriptor_t dyt,
    const void *dy, cmDnnTensorDescriptor_t dzt, void *dz, cmDnnTensorDescriptor_t dxt, void *dx,
    cmDnnTensorDescriptor_t stat, const void *scale, const void *, void *dscale, void *dbias,
    double epsilon, const void *saved_mean, const void *saved_inverse,
    cmDnnActivationDescriptor_t act, void *, size_t, void *, size_t) {
    cm::dnn::normal_slopes how = {};
    how.alpha = alpha, how.beta = beta, how.alpha_param = alpha_param;
    how.beta_param = beta_param, how.xt = xt, how.x = x, how.yt = yt, how.y = y, how.dyt = dyt;
    how.dy = dy, how.dxt = dxt, how.dx = dx, how.stat = stat, how.scale = scale;
    how.dscale = dscale, how.dbias = dbias, how.epsilon = epsilon, how.saved_mean = saved_mean;
    how.saved_inverse = saved_inverse;
    if (ops == CM_DNN_BATCHNORM_OPS_BN_ADD_ACTIVATION) how.dzt = dzt, how.dz = dz;
    if (ops != CM_DNN_BATCHNORM_OPS_BN) how.act = act;
    return cm::dnn::normalize_back(h, how);
}
inline cmDnnStatus_t cmDnnBatchNormalizationBackward(
    cmDnnHandle_t h, cmDnnBatchNormMode_t mode, const void *alpha, const void *beta,
    const void *alpha_param, const void *beta_param, cmDnnTensorDescriptor_t xt, const void *x,
    cmDnnTensorDescriptor_t dyt, const void *dy, cmDnnTensorDescriptor_t dxt, void *dx,
    cmDnnTensorDescriptor_t stat, const void *scale, void *dscale, void *dbias, double epsilon,
    const void *saved_mean, const void *saved_inverse) {
    return cmDnnBatchNormalizationBackwardEx(
        h, mode, CM_DNN_BATCHNORM_OPS_BN, alpha, beta, alpha_param, beta_param, xt, x, nullptr,
        nullptr, dyt, dy, nullptr, nullptr, dxt, dx, stat, scale, nullptr, dscale, dbias, epsilon,
        saved_mean, saved_inverse, nullptr, nullptr, 0, nullptr, 0);
}

namespace cm {
namespace dnn {
inline cmDnnStatus_t no_space(size_t *size) { // none is needed
    if (!size) return CM_DNN_STATUS_BAD_PARAM;
    *size = 0;
    return CM_DNN_STATUS_SUCCESS;
}
} // namespace dnn
} // namespace cm

inline cmDnnStatus_t cmDnnGetBatchNormalizationForwardTrainingExWorkspaceSize(
    cmDnnHandle_t, cmDnnBatchNormMode_t, cmDnnBatchNormOps_t, cmDnnTensorDescriptor_t,
    cmDnnTensorDescriptor_t, cmDnnTensorDescriptor_t, cmDnnTensorDescriptor_t,
    cmDnnActivationDescriptor_t, size_t *size) {
    return cm::dnn::no_space(size);
}
inline cmDnnStatus_t cmDnnGetBatchNormalizationBackwardExWorkspaceSize(
    cmDnnHandle_t, cmDnnBatchNormMode_t, cmDnnBatchNormOps_t, cmDnnTensorDescriptor_t,
    cmDnnTensorDescriptor_t, cmDnnTensorDescriptor_t, cmDnnTensorDescriptor_t,
    cmDnnTensorDescriptor_t, cmDnnTensorDescriptor_t, cmDnnActivationDescriptor_t, size_t *size) {
    return cm::dnn::no_space(size);
}
inline cmDnnStatus_t cmDnnGetBatchNormalizationTrainingExReserveSpaceSize(
    cmDnnHandle_t, cmDnnBatchNormMode_t, cmDnnBatchNormOps_t, cmDnnActivationDescriptor_t,
    cmDnnTensorDescriptor_t, size_t *size) {
    return cm::dnn::no_space(size);
}

// ---- the same by the names of cuDNN 8 ----

inline cmDnnStatus_t cmDnnNormalizationForwardInference(
    cmDnnHandle_t h, cmDnnNormMode_t, cmDnnNormOps_t ops, cmDnnNormAlgo_t, const void *alpha,
    const void *beta, cmDnnTensorDescriptor_t xt, const void *x, cmDnnTensorDescriptor_t stat,
    const void *scale, const void *bias, cmDnnTensorDescriptor_t, const void *mean,
    const void *variance, cmDnnTensorDescriptor_t zt, const void *z,
    cmDnnActivationDescriptor_t act, cmDnnTensorDescriptor_t yt, void *y, double epsilon,
    int groups) {
    if (groups != 1) return CM_DNN_STATUS_NOT_SUPPORTED;
    cm::dnn::normalizing how = {};
    how.alpha = alpha, how.beta = beta, how.xt = xt, how.x = x, how.yt = yt, how.y = y;
    how.stat = stat, how.scale = scale, how.bias = bias, how.mean = mean;
    how.variance = variance, how.epsilon = epsilon;
    if (ops == CM_DNN_NORM_OPS_NORM_ADD_ACTIVATION) how.zt = zt, how.z = z;
    if (ops != CM_DNN_NORM_OPS_NORM) how.act = act;
    return cm::dnn::normalize(h, how, false);
}
inline cmDnnStatus_t cmDnnNormalizationForwardTraining(
    cmDnnHandle_t h, cmDnnNormMode_t, cmDnnNormOps_t ops, cmDnnNormAlgo_t, const void *alpha,
    const void *beta, cmDnnTensorDescriptor_t xt, const void *x, cmDnnTensorDescriptor_t stat,
    const void *scale, const void *bias, double factor, cmDnnTensorDescriptor_t,
    void *running_mean, void *running_variance, double epsilon, void *saved_mean,
    void *saved_inverse, cmDnnActivationDescriptor_t act, cmDnnTensorDescriptor_t zt,
    const void *z, cmDnnTensorDescriptor_t yt, void *y, void *, size_t, void *, size_t,
    int groups) {
    if (groups != 1) return CM_DNN_STATUS_NOT_SUPPORTED;
    return cmDnnBatchNormalizationForwardTrainingEx(
        h, CM_DNN_BATCHNORM_SPATIAL, static_cast<cmDnnBatchNormOps_t>(ops), alpha, beta, xt, x, zt,
        z, yt, y, stat, scale, bias, factor, running_mean, running_variance, epsilon, saved_mean,
        saved_inverse, act, nullptr, 0, nullptr, 0);
}
inline cmDnnStatus_t cmDnnNormalizationBackward(
    cmDnnHandle_t h, cmDnnNormMode_t, cmDnnNormOps_t ops, cmDnnNormAlgo_t, const void *alpha,
    const void *beta, const void *alpha_param, const void *beta_param, cmDnnTensorDescriptor_t xt,
    const void *x, cmDnnTensorDescriptor_t yt, const void *y, cmDnnTensorDescriptor_t dyt,
    const void *dy, cmDnnTensorDescriptor_t dzt, void *dz, cmDnnTensorDescriptor_t dxt, void *dx,
    cmDnnTensorDescriptor_t stat, const void *scale, const void *bias, void *dscale, void *dbias,
    double epsilon, cmDnnTensorDescriptor_t, const void *saved_mean, const void *saved_inverse,
    cmDnnActivationDescriptor_t act, void *, size_t, void *, size_t, int groups) {
    if (groups != 1) return CM_DNN_STATUS_NOT_SUPPORTED;
    return cmDnnBatchNormalizationBackwardEx(
        h, CM_DNN_BATCHNORM_SPATIAL, static_cast<cmDnnBatchNormOps_t>(ops), alpha, beta,
        alpha_param, beta_param, xt, x, yt, y, dyt, dy, dzt, dz, dxt, dx, stat, scale, bias,
        dscale, dbias, epsilon, saved_mean, saved_inverse, act, nullptr, 0, nullptr, 0);
}
inline cmDnnStatus_t cmDnnGetNormalizationForwardTrainingWorkspaceSize(
    cmDnnHandle_t, cmDnnNormMode_t, cmDnnNormOps_t, cmDnnNormAlgo_t, cmDnnTensorDescriptor_t,
    cmDnnTensorDescriptor_t, cmDnnTensorDescriptor_t, cmDnnTensorDescriptor_t,
    cmDnnActivationDescriptor_t, cmDnnTensorDescriptor_t, size_t *size, int) {
    return cm::dnn::no_space(size);
}
inline cmDnnStatus_t cmDnnGetNormalizationBackwardWorkspaceSize(
    cmDnnHandle_t, cmDnnNormMode_t, cmDnnNormOps_t, cmDnnNormAlgo_t, cmDnnTensorDescriptor_t,
    cmDnnTensorDescriptor_t, cmDnnTensorDescriptor_t, cmDnnTensorDescriptor_t,
    cmDnnTensorDescriptor_t, cmDnnTensorDescriptor_t, cmDnnActivationDescriptor_t,
    cmDnnTensorDescriptor_t, size_t *size, int) {
    return cm::dnn::no_space(size);
}
inline cmDnnStatus_t cmDnnGetNormalizationTrainingReserveSpaceSize(cmDnnHandle_t, cmDnnNormMode_t,
                                                                   cmDnnNormOps_t, cmDnnNormAlgo_t,
                                                                   cmDnnActivationDescriptor_t,
                                                                   cmDnnTensorDescriptor_t,
                                                                   size_t *size, int) {
    return cm::dnn::no_space(size);
}

#endif
