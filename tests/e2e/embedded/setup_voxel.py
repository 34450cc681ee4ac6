# SPDX-License-Identifier: Apache-2.0
# CUDAExtension of several files: cells by counts, and suppression of boxes.
import torch
import voxel

torch.manual_seed(6)
for dtype in (torch.float32, torch.float64):
    points = torch.rand(2000, 3, dtype=dtype).cuda() * 5 - 0.5
    for size in ((4, 4, 4), (40, 40, 40)):
        cell = [4.0 / s for s in size]
        counts = voxel.voxelize(points, cell, list(size))
        at = (points.float() / torch.tensor(cell, device=points.device)).floor().long()
        inside = ((at >= 0) & (at < torch.tensor(size, device=points.device))).all(1)
        at = at[inside]
        flat = (at[:, 0] * size[1] + at[:, 1]) * size[2] + at[:, 2]
        want = torch.bincount(flat, minlength=counts.numel()).view(*size)
        assert torch.equal(counts.long(), want), (counts.long() - want).abs().sum()


def plain(boxes, scores, threshold):
    kept = []
    for i in scores.argsort(descending=True).tolist():
        b = boxes[i]
        for k in kept:
            o = boxes[k]
            w = (torch.min(b[2], o[2]) - torch.max(b[0], o[0])).clamp(min=0)
            h = (torch.min(b[3], o[3]) - torch.max(b[1], o[1])).clamp(min=0)
            union = (b[2] - b[0]) * (b[3] - b[1]) + (o[2] - o[0]) * (o[3] - o[1]) - w * h
            if w * h / union > threshold:
                break
        else:
            kept.append(i)
    return kept


corner = torch.rand(150, 2) * 20
boxes = torch.cat([corner, corner + torch.rand(150, 2) * 8 + 1], 1)
scores = torch.rand(150)
assert voxel.nms(boxes.cuda(), scores.cuda(), 0.3).tolist() == plain(boxes, scores, 0.3)
assert voxel.nms(boxes[:0].cuda(), scores[:0].cuda(), 0.3).numel() == 0
print("setup_voxel")
