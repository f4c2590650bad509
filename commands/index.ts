import type { Command } from "#src/discord/command-kit.ts";
import { createAjuda } from "./ajuda.ts";
import { config } from "./config.ts";
import { conta } from "./conta.ts";
import { vendas } from "./vendas.ts";

const others: readonly Command[] = [conta, vendas, config];

/** Every command of the bot: what is not in this list does not exist. */
export const commands: readonly Command[] = [...others, createAjuda(others)];
