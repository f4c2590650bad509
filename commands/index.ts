import type { Command } from "#src/discord/command-kit.ts";
import { createAjuda } from "./ajuda.ts";
import { config } from "./config.ts";
import { conta } from "./conta.ts";
import { saque } from "./saque.ts";
import { splitSaque } from "./split-saque.ts";
import { vendas } from "./vendas.ts";

const others: readonly Command[] = [conta, vendas, saque, splitSaque, config];

/** Every command of the bot: what is not in this list does not exist. */
export const commands: readonly Command[] = [...others, createAjuda(others)];
