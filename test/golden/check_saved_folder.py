"""Loads a model folder that Grove saved with Python transformers, and compares with a folder it came from.

    python test/golden/check_saved_folder.py SAVED [ORIGINAL]

Prints the largest difference of logits where the weights should be equal (a run of no steps, or a model that
was only loaded and saved), what the tokenizer makes of a few texts, and a sampled completion.
"""

import sys

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

TEXTS = ["Describe a city in the clouds:", "  Do you\n\n  spit? \t(yes )  ", "é 🍣 שלום 1234"]


def main():
    saved = sys.argv[1]
    model = AutoModelForCausalLM.from_pretrained(saved, dtype=torch.float32)
    tokenizer = AutoTokenizer.from_pretrained(saved)
    print("loaded", type(model).__name__, sum(p.numel() for p in model.parameters()), "parameters")
    for text in TEXTS:
        ids = tokenizer(text)["input_ids"]
        same = tokenizer.decode(ids, clean_up_tokenization_spaces=False) == text
        print(len(ids), "ids,", "round trip equal" if same else "ROUND TRIP DIFFERS")
    ids = tokenizer(TEXTS[0], return_tensors="pt")
    out = model.generate(**ids, do_sample=False, max_new_tokens=40)
    print(repr(tokenizer.decode(out[0, ids["input_ids"].shape[1]:])))
    if len(sys.argv) > 2:
        other = AutoModelForCausalLM.from_pretrained(sys.argv[2], dtype=torch.float32)
        with torch.no_grad():
            difference = (model(**ids).logits - other(**ids).logits).abs().max().item()
        print("largest difference of logits", difference)


if __name__ == "__main__":
    main()
