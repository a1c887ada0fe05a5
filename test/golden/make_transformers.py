"""Golden data of the decoder from PyTorch `transformers`, for test/policy/transformers.test.ts.

    pip install torch==2.13.0 transformers==5.24.0 safetensors
    python test/golden/make_transformers.py

Writes test/golden/transformers/: for each tiny random model its folder (config and weights), and in
`golden.json` what transformers computes with it in fp32: logits, log-probabilities of completions, the loss
of two of them with the gradient of every weight, the weights after three AdamW steps with clipping, and a
greedy completion, alone and in a batch. Also rotary angles at the sizes of known models, and the
distributions that the samplers leave of fixed logits.
"""

import json
import pathlib

import torch
from safetensors.torch import save_file
from transformers import AutoModelForCausalLM, LlamaConfig, Qwen2Config, Qwen3Config
from transformers.generation.logits_process import (
    LogitsProcessorList,
    MinPLogitsWarper,
    RepetitionPenaltyLogitsProcessor,
    TemperatureLogitsWarper,
    TopKLogitsWarper,
    TopPLogitsWarper,
)
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding
from transformers.models.qwen3.modeling_qwen3 import Qwen3RotaryEmbedding

OUT = pathlib.Path(__file__).parent / "transformers"
VOCAB = 64
COMMON = dict(
    vocab_size=VOCAB,
    hidden_size=16,
    intermediate_size=24,
    num_hidden_layers=2,
    num_attention_heads=4,
    num_key_value_heads=2,
    max_position_embeddings=256,
    rms_norm_eps=1e-6,
    bos_token_id=None,
    eos_token_id=None,
    pad_token_id=None,
)


def plain_rope(theta):
    return {"rope_type": "default", "rope_theta": theta}


LLAMA3 = {
    "rope_type": "llama3",
    "rope_theta": 500000.0,
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 32,
}
# Heads of 16 take the CPU engine's fused decoding step, others its blocks.
MODELS = {
    "qwen2": Qwen2Config(**{**COMMON, "hidden_size": 32, "num_attention_heads": 2, "num_key_value_heads": 1}, tie_word_embeddings=True, rope_parameters=plain_rope(10000.0)),
    "qwen2-small-heads": Qwen2Config(**COMMON, tie_word_embeddings=False, rope_parameters=plain_rope(1000000.0)),
    "qwen3": Qwen3Config(**COMMON, head_dim=16, tie_word_embeddings=True, rope_parameters=plain_rope(1000000.0)),
    "qwen3-small-heads": Qwen3Config(**COMMON, head_dim=6, tie_word_embeddings=True, rope_parameters=plain_rope(1000000.0)),
    "llama": LlamaConfig(**COMMON, head_dim=16, tie_word_embeddings=False, rope_parameters=LLAMA3),
    "llama-linear": LlamaConfig(**{**COMMON, "num_key_value_heads": 4}, tie_word_embeddings=True, rope_parameters={**plain_rope(10000.0), "rope_type": "linear", "factor": 2.0}),
    "llama-biases": LlamaConfig(**COMMON, head_dim=16, attention_bias=True, mlp_bias=True, tie_word_embeddings=False, rope_parameters=plain_rope(10000.0)),
}
# Rotary angles at the sizes of models that people use.
ROPES = {
    "Qwen2.5": Qwen2Config(hidden_size=896, num_attention_heads=14, num_key_value_heads=2, max_position_embeddings=32768, rope_parameters=plain_rope(1000000.0)),
    "Qwen3": Qwen3Config(head_dim=128, max_position_embeddings=40960, rope_parameters=plain_rope(1000000.0)),
    "SmolLM2": LlamaConfig(hidden_size=576, num_attention_heads=9, max_position_embeddings=8192, rope_parameters=plain_rope(100000.0)),
    "Llama-3.2": LlamaConfig(hidden_size=2048, num_attention_heads=32, max_position_embeddings=131072, rope_parameters={**LLAMA3, "factor": 32.0, "original_max_position_embeddings": 8192}),
}
ROPE_KEYS = ["vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads", "head_dim", "max_position_embeddings", "rms_norm_eps", "rope_parameters"]
SEQUENCES = [
    {"prompt": [5, 9, 2, 33, 61, 7, 7, 12], "completion": [40, 3, 3, 18, 0], "coefficient": -0.75},
    {"prompt": [8, 1, 50], "completion": [22, 63, 4, 4, 10, 31, 2, 19, 27], "coefficient": 0.4},
]
STEPS = 3
ADAMW = dict(lr=0.003, betas=(0.9, 0.98), eps=1e-8, weight_decay=0.05)
CLIP = 1.0


def build(config, seed):
    torch.manual_seed(seed)
    model = AutoModelForCausalLM.from_config(config, dtype=torch.float32, attn_implementation="eager")
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if "norm" in name:
                weight.copy_(1 + 0.3 * torch.randn_like(weight))
            else:
                weight.copy_(0.25 * torch.randn_like(weight))
    model.eval()
    return model


def log_probs(model, sequence):
    ids = sequence["prompt"] + sequence["completion"]
    logits = model(torch.tensor([ids])).logits[0]
    all_log_probs = torch.log_softmax(logits, dim=-1)
    start = len(sequence["prompt"])
    return torch.stack([all_log_probs[at - 1, ids[at]] for at in range(start, len(ids))])


def padded_log_probs(model):
    """All sequences as one batch with left padding."""
    rows = [s["prompt"] + s["completion"] for s in SEQUENCES]
    longest = max(len(row) for row in rows)
    ids = torch.zeros(len(rows), longest, dtype=torch.long)
    mask = torch.zeros(len(rows), longest, dtype=torch.long)
    for at, row in enumerate(rows):
        ids[at, longest - len(row):] = torch.tensor(row)
        mask[at, longest - len(row):] = 1
    positions = (mask.cumsum(-1) - 1).clamp(min=0)
    logits = model(ids, attention_mask=mask, position_ids=positions).logits
    result = []
    for at, (row, sequence) in enumerate(zip(rows, SEQUENCES)):
        own = torch.log_softmax(logits[at, longest - len(row):], dim=-1)
        start = len(sequence["prompt"])
        result.append([own[t - 1, row[t]].item() for t in range(start, len(row))])
    return result


def loss_of(model):
    return sum(s["coefficient"] * log_probs(model, s).sum() for s in SEQUENCES)


def greedy(model, prompts, count):
    """Of all prompts as one batch with left padding."""
    longest = max(len(prompt) for prompt in prompts)
    ids = torch.tensor([[0] * (longest - len(prompt)) + prompt for prompt in prompts])
    mask = torch.tensor([[0] * (longest - len(prompt)) + [1] * len(prompt) for prompt in prompts])
    out = model.generate(ids, attention_mask=mask, do_sample=False, max_new_tokens=count, pad_token_id=0, use_cache=True)
    return out[:, longest:].tolist()


def named(model):
    """Weights by name; a tied head is left out."""
    return {name: weight for name, weight in model.named_parameters()}


def make_model(name, config, seed):
    folder = OUT / name
    folder.mkdir(parents=True, exist_ok=True)
    model = build(config, seed)
    model.save_pretrained(folder)
    (folder / "generation_config.json").unlink(missing_ok=True)
    first = SEQUENCES[0]
    with torch.no_grad():
        logits = model(torch.tensor([first["prompt"]])).logits[0]
        golden = {
            "logits": logits.tolist(),
            "log_probs": [log_probs(model, s).tolist() for s in SEQUENCES],
            "padded_log_probs": padded_log_probs(model),
            "greedy": greedy(model, [first["prompt"]], 16)[0],
            "padded_greedy": greedy(model, [s["prompt"] for s in SEQUENCES], 16),
        }
    loss = loss_of(model)
    loss.backward()
    golden["loss"] = loss.item()
    golden["grad_norm"] = torch.nn.utils.clip_grad_norm_(model.parameters(), float("inf")).item()
    save_file({n: w.grad.clone() for n, w in named(model).items()}, folder / "gradient.safetensors")
    # In double precision: AdamW turns the last digits of a gradient near zero into a whole step.
    exact = build(config, seed).double()
    optimizer = torch.optim.AdamW(exact.parameters(), **ADAMW)
    norms = []
    for _ in range(STEPS):
        loss_of(exact).backward()
        norms.append(torch.nn.utils.clip_grad_norm_(exact.parameters(), CLIP).item())
        optimizer.step()
        optimizer.zero_grad()
    golden["step_grad_norms"] = norms
    save_file({n: w.detach().float() for n, w in named(exact).items()}, folder / "trained.safetensors")
    return golden


def make_rope(config):
    """Turns per position, and the angles far into a text."""
    rotary = (Qwen3RotaryEmbedding if isinstance(config, Qwen3Config) else LlamaRotaryEmbedding)(config)
    position = config.max_position_embeddings - 1
    cos, sin = rotary(torch.zeros(1), torch.tensor([[position]]))
    half = rotary.inv_freq.shape[0]
    config_json = {k: v for k, v in config.to_dict().items() if k in ROPE_KEYS}
    return {
        "config": {**config_json, "model_type": config.model_type},
        "inverse_frequencies": rotary.inv_freq.tolist(),
        "position": position,
        "cos": cos[0, 0, :half].tolist(),
        "sin": sin[0, 0, :half].tolist(),
    }


def make_samplers():
    torch.manual_seed(5)
    logits = 3 * torch.randn(1, 24)
    logits[0, 7] = logits[0, 3]  # a tie
    cases = []
    for setting in [
        dict(temperature=1.0),
        dict(temperature=0.6, top_k=5),
        dict(temperature=1.7, top_p=0.8),
        dict(temperature=0.6, top_k=50, top_p=0.6),
        dict(temperature=1.0, top_k=8, top_p=0.9, min_p=0.1),
        dict(temperature=2.0, min_p=0.3),
        dict(temperature=0.9, top_p=0.05),
        dict(temperature=1.0, repetition_penalty=1.4),
        dict(temperature=0.8, top_k=6, top_p=0.95, repetition_penalty=0.7),
    ]:
        processors = LogitsProcessorList()
        if "repetition_penalty" in setting:
            processors.append(RepetitionPenaltyLogitsProcessor(setting["repetition_penalty"]))
        processors.append(TemperatureLogitsWarper(setting["temperature"]))
        if "top_k" in setting:
            processors.append(TopKLogitsWarper(min(setting["top_k"], logits.shape[-1])))
        if "top_p" in setting:
            processors.append(TopPLogitsWarper(setting["top_p"]))
        if "min_p" in setting:
            processors.append(MinPLogitsWarper(setting["min_p"]))
        present = [3, 11, 11, 20]
        warped = processors(torch.tensor([present]), logits.clone())
        cases.append({"settings": setting, "probabilities": torch.softmax(warped, dim=-1)[0].tolist()})
    return {"logits": logits[0].tolist(), "present": present, "cases": cases}


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    golden = {
        "sequences": SEQUENCES,
        "adamw": {**{k: v for k, v in ADAMW.items() if k != "betas"}, "beta1": ADAMW["betas"][0], "beta2": ADAMW["betas"][1], "clip": CLIP, "steps": STEPS},
        "models": {name: make_model(name, config, 11 + at) for at, (name, config) in enumerate(MODELS.items())},
        "ropes": {name: make_rope(config) for name, config in ROPES.items()},
        "samplers": make_samplers(),
    }
    (OUT / "golden.json").write_text(json.dumps(golden))


if __name__ == "__main__":
    main()
