"""The two-turn demo in the reference library, step by step on command, for bench/reference.ts.

    python steps.py SETTINGS.json

First trains on one example with fresh models and writes what was sampled to `record`, and the trained models
to `trained/agent_N`. Then reads lines: each is the index of an example, and is answered by one line of JSON
with the seconds and the sampled tokens of one training step on it. The library is only called and watched.
"""

import json
import math
import pathlib
import random
import sys
import time

import numpy as np
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from comlrl.trainers.reinforce.magrpo import MAGRPOConfig, MAGRPOTrainer


def ratio_of(texts):
    return len(texts[1]) / max(len(texts[0]), 1)


def reward(first, second):
    """Length-ratio reward of src-main/tasks/built-in/length-ratio-reward.ts."""
    ratio = ratio_of((first[0], second[0]))
    distance = 2 - ratio if ratio < 2 else ratio - 3 if ratio > 3 else 0
    return [math.exp(-distance)]


def one_decimal(value):
    """As JavaScript's toFixed(1) and Python's format agree on everything but ties, so does the demo's text."""
    return f"{value:.1f}"


def transition(prompt, agent_completions, **_):
    """Feedback of src-main/tasks/built-in/length-ratio-feedback.ts."""
    ratio = one_decimal(ratio_of(agent_completions))
    goal = "The second answer should be 2 to 3 times as long as the first."
    return [
        f"{prompt}\nYour last response had {len(text)} characters. "
        f"The length ratio was {ratio}. {goal}"
        for text in agent_completions
    ]


def make_trainer(settings, items):
    agents = [
        AutoModelForCausalLM.from_pretrained(settings["folder"], dtype=torch.float32)
        for _ in range(2)
    ]
    trainer = MAGRPOTrainer(
        agents=agents,
        num_agents=2,
        tokenizer=AutoTokenizer.from_pretrained(settings["folder"]),
        reward_func=reward,
        formatters=lambda item: item["prompt"],
        external_transition=transition,
        train_dataset=[{"prompt": prompt} for prompt in items],
        args=MAGRPOConfig(num_train_epochs=1, eval_interval=0, **settings["config"]),
    )
    trainer.verbose = False
    return trainer


def watch(trainer, seen):
    """Adds every answer to `seen`, one list per agent and prompt."""
    generate = trainer._generate_completions

    def watched(agent, batch_items, agent_idx=0, **kwargs):
        result = generate(agent, batch_items, agent_idx=agent_idx, **kwargs)
        ends = agent.generation_config.eos_token_id
        ends = ends if isinstance(ends, list) else [ends]
        completions = []
        for text, row in zip(result["completions"][0], result["completion_input_ids"][0]):
            ids = row.tolist()
            stop = next((at + 1 for at, token in enumerate(ids) if token in ends), len(ids))
            completions.append(dict(text=text, tokenIds=ids[:stop], ended=ids[stop - 1] in ends))
        seen.append(
            dict(
                agent=agent_idx,
                prompt=result["prompts"][0],
                promptTokenIds=result["prompt_input_ids"][0].tolist(),
                completions=completions,
            )
        )
        return result

    trainer._generate_completions = watched


def log_probs_of(model, prompt_ids, completion_ids):
    with torch.no_grad():
        logits = model(torch.tensor([prompt_ids + completion_ids])).logits[0]
    rows = torch.log_softmax(logits, dim=-1)[len(prompt_ids) - 1 : -1]
    return rows.gather(1, torch.tensor(completion_ids)[:, None])[:, 0].tolist()


def record(settings):
    """One whole run on one example, from fresh models to the last drained buffer."""
    trainer = make_trainer(settings, settings["items"][:1])
    seen = []
    watch(trainer, seen)
    fresh = AutoModelForCausalLM.from_pretrained(settings["folder"], dtype=torch.float32).eval()
    trainer.train()
    for answer in seen:
        for completion in answer["completions"]:
            completion["logProbs"] = log_probs_of(
                fresh, answer["promptTokenIds"], completion["tokenIds"]
            )
    out = pathlib.Path(settings["out"])
    (out / "record.json").write_text(json.dumps(seen), encoding="utf-8")
    trainer.save_model(str(out / "trained"))


def main():
    settings = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    torch.set_num_threads(settings["threads"])
    torch.manual_seed(settings["seed"])
    np.random.seed(settings["seed"])
    random.seed(settings["seed"])
    record(settings)
    trainer = make_trainer(settings, settings["items"])
    seen = []
    watch(trainer, seen)
    for agent in trainer.agents:
        agent.train()
    print("ready", flush=True)
    for line in sys.stdin:
        seen.clear()
        start = time.perf_counter()
        trainer._train_step_returns({"prompt": settings["items"][int(line)]})
        seconds = time.perf_counter() - start
        tokens = sum(len(c["tokenIds"]) for answer in seen for c in answer["completions"])
        print(json.dumps(dict(seconds=seconds, tokens=tokens)), flush=True)


main()
