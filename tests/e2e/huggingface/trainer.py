"""The Trainer on a small Llama, with evaluation, a checkpoint and its reload."""
import tempfile

import torch
from transformers import LlamaConfig, LlamaForCausalLM, Trainer, TrainingArguments
from transformers.trainer_callback import PrinterCallback


class Sequences(torch.utils.data.Dataset):
    def __len__(self):
        return 12

    def __getitem__(self, i):
        ids = torch.arange(8) * (i + 3) % 40
        return {"input_ids": ids, "labels": ids}


def main():
    torch.manual_seed(0)
    config = LlamaConfig(vocab_size=40, hidden_size=16, intermediate_size=32, num_hidden_layers=1,
                         num_attention_heads=2, max_position_embeddings=16)
    model = LlamaForCausalLM(config)
    with tempfile.TemporaryDirectory() as folder:
        arguments = TrainingArguments(
            output_dir=folder, max_steps=4, per_device_train_batch_size=2, logging_steps=1,
            learning_rate=1e-3, save_steps=4, report_to=[], disable_tqdm=True, seed=5,
            dataloader_pin_memory=torch.cuda.is_available(), optim="adamw_torch",
        )
        # One device of those that there are: DataParallel would change the batches.
        arguments._n_gpu = min(1, torch.cuda.device_count())
        trainer = Trainer(model=model, args=arguments, train_dataset=Sequences(), eval_dataset=Sequences())
        trainer.remove_callback(PrinterCallback)
        trainer.train()
        for entry in trainer.state.log_history:
            if "loss" in entry:
                print(entry["step"], f"{float(entry['loss']):.4f}")
        print(f"{trainer.evaluate()['eval_loss']:.4f}")
        again = LlamaForCausalLM.from_pretrained(f"{folder}/checkpoint-4")
        again.to("cuda" if torch.cuda.is_available() else "cpu")
        print(trainer.args.device.type == again.device.type)


if __name__ == "__main__":
    main()
