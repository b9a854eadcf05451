"""Layer: what it consists of, how it runs, its state, its text."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import minigrad as mg
from minigrad import nn
from minigrad.errors import ArgumentTypeError, ArgumentValueError, ShapeError


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(4, 3)
        self.blocks = nn.LayerList([nn.Linear(3, 3), nn.Dropout(0.3)])
        self.register_buffer("seen", mg.zeros([2]))
        self.register_buffer("scratch", mg.zeros([2]), persistable=False)
        self.scale = self.create_parameter([3])
        self.plain = mg.zeros([1])

    def forward(self, x):
        x = self.fc1(x)
        for block in self.blocks:
            x = block(x)
        return x * self.scale


def names(pairs):
    return [name for name, _ in pairs]


def test_parameters_are_found_by_path_own_ones_first():
    assert names(Net().named_parameters()) == [
        "scale",
        "fc1.weight",
        "fc1.bias",
        "blocks.0.weight",
        "blocks.0.bias",
    ]
    assert names(Net().named_parameters("net", include_sublayers=False)) == ["net.scale"]


def test_a_shared_layer_is_counted_once():
    net = Net()
    net.again = net.fc1
    net.tied = net.fc1.weight
    assert len(net.parameters()) == 5
    assert net.sublayers().count(net.fc1) == 1


def test_a_layer_that_knows_its_parent_is_no_trouble():
    net = Net()
    net.fc1.parent = net
    assert len(net.sublayers()) == 4
    assert len(net.parameters()) == 5


def test_sublayers_and_buffers():
    net = Net()
    assert names(net.named_sublayers()) == ["fc1", "blocks", "blocks.0", "blocks.1"]
    assert names(net.named_sublayers(include_self=True))[0] == ""
    assert names(net.named_children()) == ["fc1", "blocks"]
    assert names(net.named_buffers()) == ["seen", "scratch"]
    assert net.buffers()[0] is net.seen


def test_names_count_the_layers_made():
    first, second = nn.Linear(2, 2), nn.Linear(2, 2)
    count = int(first.full_name().removeprefix("linear_"))
    assert second.full_name() == f"linear_{count + 1}"
    assert first.weight.name == f"linear_{count}.w_0"
    assert first.bias.name == f"linear_{count}.b_0"
    assert nn.BCEWithLogitsLoss().full_name().startswith("bce_with_logits_loss_")


def test_attr_of_a_parameter():
    layer = nn.Linear(
        2,
        3,
        weight_attr=nn.ParamAttr("w", nn.initializer.Constant(2.0), 0.5, trainable=False),
        bias_attr=False,
    )
    assert layer.bias is None
    assert layer.weight.name == "w"
    assert layer.weight.stop_gradient
    assert layer.weight.optimize_attr == {"learning_rate": 0.5}
    assert layer(mg.ones([1, 2])).tolist() == [[4.0, 4.0, 4.0]]
    assert nn.Linear(2, 3, weight_attr="mine").weight.name == "mine"
    assert nn.Linear(1, 2, bias_attr=lambda shape: np.full(shape, 3.0)).bias.tolist() == [3.0, 3.0]
    with pytest.raises(ArgumentTypeError, match="does not say how to make a parameter"):
        nn.Linear(2, 3, weight_attr=3)


def test_train_and_eval_reach_every_layer():
    net = Net()
    assert net.eval() is net
    assert not any(layer.training for layer in net.sublayers(include_self=True))
    net.train()
    assert all(layer.training for layer in net.sublayers(include_self=True))


def test_hooks_see_and_replace_inputs_and_outputs():
    layer = nn.Identity()
    seen = []
    before = layer.register_forward_pre_hook(lambda _, inputs: inputs[0] + 1)
    after = layer.register_forward_post_hook(lambda _, inputs, out: seen.append((inputs, out)))
    doubled = layer.register_forward_post_hook(lambda _layer, _inputs, out: out * 2)
    assert layer(1) == 4
    assert seen == [((2,), 2)]
    doubled.remove()
    assert layer(1) == 2
    before.remove()
    before.remove()
    after.remove()
    assert layer(1) == 1
    assert len(seen) == 2
    with pytest.raises(ArgumentTypeError, match="must be callable"):
        layer.register_forward_pre_hook(3)


def test_state_is_taken_over():
    one, two = Net(), Net()
    assert list(one.state_dict()) == [
        "scale",
        "seen",
        "fc1.weight",
        "fc1.bias",
        "blocks.0.weight",
        "blocks.0.bias",
    ]
    assert one.state_dict()["fc1.weight"] is one.fc1.weight
    kept = two.fc1.weight
    assert two.set_state_dict(one.state_dict()) == ([], [])
    assert two.fc1.weight is kept
    assert two.fc1.weight.tolist() == one.fc1.weight.tolist()
    one.fc1.weight.set_value(mg.zeros([4, 3]))
    assert two.fc1.weight.numpy().any()


def test_state_by_parameter_names_and_from_numpy():
    net = nn.Linear(2, 1)
    net.set_state_dict(
        {net.weight.name: np.array([[1.0], [2.0]]), net.bias.name: np.array([3.0])},
        use_structured_name=False,
    )
    assert net(mg.ones([1, 2])).tolist() == [[6.0]]


def test_state_that_does_not_fit_changes_nothing():
    net = nn.Linear(2, 1)
    before = net.bias.tolist()
    with pytest.raises(ShapeError) as raised:
        net.set_state_dict({"bias": np.array([5.0]), "weight": np.zeros([1, 2])})
    assert "'weight' has shape [1, 2], the layer's has [2, 1]" in str(raised.value)
    assert net.bias.tolist() == before
    with pytest.warns(UserWarning, match="lacks weight"):
        assert net.set_state_dict({"bias": np.array([5.0]), "extra": 1}) == (["weight"], ["extra"])
    assert net.bias.tolist() == [5.0]
    with pytest.raises(ArgumentTypeError, match="takes a dict, not list"):
        net.set_state_dict([])
    with pytest.raises(ArgumentTypeError, match="is float, not a tensor"):
        net.set_state_dict({"bias": 1.0, "weight": 2.0})


def test_gradients_are_cleared():
    net = nn.Linear(2, 1)
    net(mg.ones([1, 2])).sum().backward()
    net.clear_gradients()
    assert net.weight.grad.tolist() == [[0.0], [0.0]]
    net.clear_gradients(set_to_zero=False)
    assert net.weight.grad is None


def test_apply_goes_from_the_inside_out():
    net = Net()
    order = []
    assert net.apply(order.append) is net
    assert order == [net.fc1, net.blocks[0], net.blocks[1], net.blocks, net]


def test_to_another_dtype_keeps_the_tensors_and_their_hooks():
    net = nn.Linear(2, 1)
    weight = net.weight
    seen = []
    weight.register_hook(lambda g: seen.append(g.dtype))
    net(mg.ones([1, 2])).sum().backward()
    net.to(dtype="float64")
    assert net.weight is weight
    assert weight.dtype == weight.grad.dtype == mg.float64
    net(mg.ones([1, 2], dtype="float64")).sum().backward()
    assert weight.grad.tolist() == [[2.0], [2.0]]
    assert seen == [mg.float32, mg.float64]
    assert net.create_parameter([1]).dtype == mg.float64
    assert "dtype=float64" in repr(net)


def test_to_leaves_integers_and_frozen_parameters_alone():
    net = nn.Layer()
    net.register_buffer("count", mg.to_tensor([1]))
    net.w = net.create_parameter([1], nn.ParamAttr(trainable=False))
    net.to("cpu", "float64")
    assert net.count.dtype == mg.int64
    assert net.w.dtype == mg.float64
    assert net.w.stop_gradient


def test_copies_share_nothing():
    net = Net()
    for twin in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):  # noqa: S301 (our own)
        assert all(p is not q for p in twin.parameters() for q in net.parameters())
        twin.eval()
        assert net.training
    twin = copy.deepcopy(net.eval())
    x = mg.ones([1, 4])
    assert twin(x).tolist() == net(x).tolist()


def test_repr_as_paddle_prints():
    assert repr(Net()) == (
        "Net(\n"
        "  (fc1): Linear(in_features=4, out_features=3, dtype=float32)\n"
        "  (blocks): LayerList(\n"
        "    (0): Linear(in_features=3, out_features=3, dtype=float32)\n"
        "    (1): Dropout(p=0.3, axis=None, mode=upscale_in_train, inplace=False)\n"
        "  )\n"
        ")"
    )


def test_scopes_in_a_trace():
    net = Net().eval()
    net.head = nn.Sequential(nn.ReLU(), ("out", nn.Linear(3, 2)))
    with mg.record() as trace:
        y = net.head(net(mg.ones([1, 4]))).sum()
        y.backward()
    scopes = {n.op: n.scope for n in trace.nodes if n.kind == "op"}
    assert [n.scope for n in trace.nodes if n.op == "linear"] == [
        "net/fc1",
        "net/blocks/0",
        "sequential/out",
    ]
    assert scopes["multiply"] == "net"
    assert scopes["relu"] == "sequential/0"
    assert scopes["sum"] == ""


def test_an_error_in_forward_leaves_the_scope():
    class Broken(nn.Layer):
        def forward(self, x):
            raise KeyError(x)

    x = mg.ones([1])
    x.stop_gradient = False
    with mg.record() as trace:
        with pytest.raises(KeyError):
            nn.Sequential(Broken())(x)
        nn.Sequential(nn.ReLU())(x).sum().backward()
    assert [n.scope for n in trace.nodes if n.op == "relu"] == ["sequential/0"]


def test_errors_say_what_to_do():
    class Forgot(nn.Layer):
        def __init__(self):
            self.fc = nn.Linear(1, 1)

        def forward(self, x):
            return self.fc(x)

    with pytest.raises(AttributeError, match=r"super\(\).__init__\(\) first"):
        Forgot()(1)
    with pytest.raises(AttributeError, match="has no attribute 'fc3'") as raised:
        _ = Net().fc3
    assert "super()" not in str(raised.value)
    with pytest.raises(NotImplementedError, match="does not define forward"):
        nn.Layer()(1)
    net = nn.Layer()
    with pytest.raises(ArgumentTypeError, match="A sublayer cannot be int: 'a'"):
        net.add_sublayer("a", 1)
    with pytest.raises(ArgumentTypeError, match="A parameter cannot be Tensor"):
        net.add_parameter("a", mg.ones([1]))
    with pytest.raises(ArgumentTypeError, match="A buffer cannot be list"):
        net.register_buffer("a", [1])
    with pytest.raises(ArgumentValueError, match="cannot name a parameter"):
        net.add_parameter("a.b", None)
    with pytest.raises(ArgumentValueError, match="the class has an attribute"):
        net.register_buffer("forward", mg.ones([1]))
    assert net.add_parameter("bias", None) is None
    assert net.bias is None
