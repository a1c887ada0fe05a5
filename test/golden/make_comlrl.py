"""Golden data from the reference library, for test/magrpo/golden.test.ts.

Runs comlrl's MAGRPOTrainer on the CPU with a tiny random Qwen2 model and writes down what went in (prompts,
token ids, texts, rewards, feedback) and what came out (returns, advantages, losses, logged metrics, weights).
The library is only called and watched: its methods are wrapped, none of them is replaced.

    pip install comlrl==1.4.3 torch transformers
    python test/golden/make_comlrl.py          # writes test/golden/comlrl/
"""

import json
import pathlib
import random
import types

import numpy as np
import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM

from comlrl.trainers.reinforce import magrpo

HERE = pathlib.Path(__file__).parent / "comlrl"
SPOKEN = "abcdefghijkl "


def make_tokenizer():
    """One token per byte, two special ones; the ids that may be sampled are those of SPOKEN and the end."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    raw = Tokenizer(models.BPE(vocab={char: i for i, char in enumerate(alphabet)}, merges=[]))
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    raw.decoder = decoders.ByteLevel()
    raw.add_special_tokens(["<|endoftext|>", "<|pad|>"])
    return PreTrainedTokenizerFast(tokenizer_object=raw, eos_token="<|endoftext|>")


def make_model(tokenizer):
    torch.manual_seed(11)
    config = Qwen2Config(
        vocab_size=len(tokenizer),
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        max_position_embeddings=512,
        tie_word_embeddings=True,
        initializer_range=0.2,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=None,
    )
    model = Qwen2ForCausalLM(config).float()
    spoken = {tokenizer.encode(char)[0] for char in SPOKEN} | {tokenizer.eos_token_id}
    model.generation_config.suppress_tokens = [i for i in range(len(tokenizer)) if i not in spoken]
    return model


def reward(texts):
    """Any deterministic number that differs between texts."""
    joined = "|".join(texts)
    return round(sum((ord(char) % 7) * (i % 3 - 1) for i, char in enumerate(joined)) / 10, 3)


SCENARIOS = {
    "aligned": dict(
        agents=2,
        epochs=2,
        items=["a city in the clouds", "a new holiday"],
        eval_items=["a bedtime story", "a playground on mars"],
        weights=True,
        args=dict(
            num_turns=2,
            num_generations=3,
            early_termination_threshold=None,
            eval_interval=1,
            eval_num_samples=2,
            rollout_buffer_size=2,
        ),
    ),
    "cross-kl": dict(
        agents=2,
        epochs=2,
        items=["a city in the clouds"],
        eval_items=None,
        weights=True,
        args=dict(
            num_turns=2,
            num_generations=2,
            joint_mode="cross",
            early_termination_threshold=None,
            rollout_buffer_size=3,
            advantage_mode="rloo",
            advantage_normalization=False,
            reference_kl_enabled=True,
            reference_kl_coef=0.1,
        ),
    ),
    "single-agent": dict(
        agents=1,
        epochs=1,
        items=["a city in the clouds", "a new holiday", "a bedtime story"],
        eval_items=None,
        weights=False,
        pad_token="<|pad|>",
        args=dict(
            num_turns=3,
            num_generations=2,
            early_termination_threshold=-0.2,
            external_prompt_passthrough=True,
            rollout_buffer_size=4,
            train_batch_size=4,
            advantage_mode="max",
            advantage_normalization=False,
            logging_steps=5,
        ),
    ),
    "raw": dict(
        agents=3,
        epochs=1,
        items=["a city in the clouds", "a new holiday"],
        eval_items=None,
        weights=False,
        args=dict(
            num_turns=1,
            num_generations=4,
            rollout_buffer_size=2,
            advantage_mode="raw",
            advantage_normalization=False,
        ),
    ),
}


def run(name, scenario, model_folder):
    tokenizer = make_tokenizer()
    if "pad_token" in scenario:
        tokenizer.pad_token = scenario["pad_token"]
    count = scenario["agents"]
    agents = [Qwen2ForCausalLM.from_pretrained(model_folder).float() for _ in range(count)]
    as_key = lambda parts: json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    seen = dict(prompts={}, rewards={}, feedback={}, samples=[], logs=[])

    def joint_reward(*lists):
        texts = [texts[0] for texts in lists]
        seen["rewards"][as_key(texts)] = reward(texts)
        return [reward(texts)]

    rewards_by_count = {
        1: lambda a: joint_reward(a),
        2: lambda a, b: joint_reward(a, b),
        3: lambda a, b, c: joint_reward(a, b, c),
    }

    def transition(
        prompt, agent_completions, num_agents, prompt_history_per_agent, response_history_per_agent
    ):
        turn = len(prompt_history_per_agent[0])
        said = "|".join(agent_completions)
        prompts = [f"turn {turn + 1} of {prompt}: {said} ({i})" for i in range(num_agents)]
        key = as_key([prompt, *agent_completions, turn])
        seen["feedback"][key] = dict(
            prompts=prompts,
            promptHistory=[list(history) for history in prompt_history_per_agent],
            responseHistory=[list(history) for history in response_history_per_agent],
        )
        return prompts

    formatters = [lambda item, i=i: f"agent {i}, write {item['prompt']}." for i in range(count)]
    args = magrpo.MAGRPOConfig(
        num_train_epochs=scenario["epochs"],
        agent_learning_rate=1e-3,
        num_agents=count,
        max_new_tokens=8,
        temperature=1.0,
        top_p=1.0,
        top_k=None,
        **{"logging_steps": 1, **scenario["args"]},
    )
    rows = lambda prompts: None if prompts is None else [dict(prompt=prompt) for prompt in prompts]
    trainer = magrpo.MAGRPOTrainer(
        agents=agents,
        num_agents=count,
        tokenizer=tokenizer,
        reward_func=rewards_by_count[count],
        formatters=formatters,
        external_transition=transition,
        train_dataset=rows(scenario["items"]),
        eval_dataset=rows(scenario["eval_items"]),
        args=args,
    )
    trainer.verbose = False
    trainer.wandb_initialized = True
    log = lambda metrics, step: seen["logs"].append(dict(envStep=step, values=dict(metrics)))
    magrpo.wandb = types.SimpleNamespace(run=True, log=log)

    generate = trainer._generate_completions

    def watched_generate(agent, batch_items, agent_idx=0, **kwargs):
        result = generate(agent, batch_items, agent_idx=agent_idx, **kwargs)
        prompt_ids = result["prompt_input_ids"][0].tolist()
        completions = []
        for text, tokens, length in zip(
            result["completions"][0], result["completion_input_ids"][0], result["response_lens"]
        ):
            ids = tokens.tolist()
            ended = tokenizer.eos_token_id in ids
            kept = ids[: ids.index(tokenizer.eos_token_id) + 1] if ended else ids
            completion = dict(
                text=text,
                tokenIds=kept,
                logProbs=log_probs_of(agent, prompt_ids, kept),
                finishReason="eos" if ended else "length",
            )
            if trainer.reference_models:
                reference = trainer.reference_models[agent_idx]
                completion["referenceLogProbs"] = log_probs_of(reference, prompt_ids, kept)
            completions.append(completion)
        key = as_key([agent_idx, result["prompts"][0]])
        answers = seen["prompts"].setdefault(key, [])
        answers.append(dict(promptTokenIds=prompt_ids, completions=completions))
        return result

    trainer._generate_completions = watched_generate

    loss_of = trainer._compute_loss_with_gradients
    advantages_of = trainer._compute_advantages
    update = trainer._update_from_samples
    current = {}

    def watched_advantages(returns):
        advantages = advantages_of(returns)
        current["effective"] = returns.tolist()
        current["baselined"] = advantages.tolist()
        return advantages

    def watched_loss(agent, data, returns):
        columns = data["completion_input_ids"][0]
        prompt_ids = data["prompt_input_ids"][0].tolist()
        before = [log_probs_of(agent, prompt_ids, tokens.tolist()) for tokens in columns]
        loss = loss_of(agent, data, returns)
        current["batch"].append(
            dict(
                promptTokenIds=prompt_ids,
                returns=list(returns),
                effectiveReturns=current["effective"],
                baselined=current["baselined"],
                referenceKls=list(data["reference_kls"]),
                columns=[tokens.tolist() for tokens in columns],
                columnLogProbs=before,
                loss=float(loss.detach()),
            )
        )
        return loss

    def watched_update(agent_idx, samples):
        current["batch"] = []
        # The library shuffles the list in place before it computes the losses in that order.
        update(agent_idx, samples)
        for sample, recorded in zip(samples, current["batch"], strict=True):
            place = dict(agent=agent_idx, turn=sample.turn_idx + 1, envStep=sample.node_env_step)
            seen["samples"].append({**place, **recorded})

    trainer._compute_advantages = watched_advantages
    trainer._compute_loss_with_gradients = watched_loss
    trainer._update_from_samples = watched_update

    torch.manual_seed(5)
    np.random.seed(5)
    random.seed(5)
    trainer.train()

    placement = ("parallel_training", "agent_devices", "reference_devices")
    config = {key: value for key, value in vars(args).items() if key not in placement}
    (HERE / f"{name}.json").write_text(
        json.dumps(
            dict(
                config=config,
                items=scenario["items"],
                evalItems=scenario["eval_items"] or [],
                # generate() pads by the model's generation config, whatever the tokenizer says.
                padTokenId=agents[0].generation_config.pad_token_id or tokenizer.eos_token_id,
                eosTokenId=tokenizer.eos_token_id,
                envStep=trainer.env_step,
                **seen,
            ),
            ensure_ascii=False,
            separators=(",", ":"),
        )
        + "\n",
        encoding="utf-8",
    )
    if scenario["weights"]:
        for index, agent in enumerate(agents):
            save_weights(agent, HERE / f"{name}-agent_{index + 1}.safetensors")


def log_probs_of(model, prompt_ids, completion_ids):
    """Log-probability of every completion token, temperature 1, full softmax."""
    with torch.no_grad():
        logits = model(torch.tensor([prompt_ids + completion_ids])).logits[0]
    rows = torch.log_softmax(logits, dim=-1)[len(prompt_ids) - 1 : -1]
    picked = rows.gather(1, torch.tensor(completion_ids)[:, None])[:, 0]
    return [round(value, 8) for value in picked.tolist()]


def save_weights(model, path):
    """Without the output layer, which is the embedding again."""
    state = model.state_dict()
    save_file({key: state[key].contiguous() for key in state if key != "lm_head.weight"}, path)


def main():
    HERE.mkdir(parents=True, exist_ok=True)
    folder = HERE / "model"
    tokenizer = make_tokenizer()
    make_model(tokenizer).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    for name, scenario in SCENARIOS.items():
        run(name, scenario, folder)


main()
