import type { ButtonSet, Command, MessageCommand } from "#src/discord/command.ts";
import { createAjuda } from "./ajuda.ts";
import { cobrar } from "./cobrar.ts";
import { config } from "./config.ts";
import { conta } from "./conta.ts";
import { estornar } from "./estornar.ts";
import { fechamento } from "./fechamento.ts";
import { guardarProva } from "./guardar-prova.ts";
import { meds } from "./meds.ts";
import { meta } from "./meta.ts";
import { provas } from "./provas.ts";
import { saldo } from "./saldo.ts";
import { saque } from "./saque.ts";
import { saques } from "./saques.ts";
import { seguranca } from "./seguranca.ts";
import { splitSaque } from "./split-saque.ts";
import { transacoes } from "./transacoes.ts";
import { travar } from "./travar.ts";
import { vendas } from "./vendas.ts";

const others: readonly Command[] = [
  conta,
  vendas,
  meta,
  transacoes,
  cobrar,
  saldo,
  saque,
  splitSaque,
  saques,
  estornar,
  meds,
  provas,
  travar,
  seguranca,
  config,
];

/** All commands that Discord shows and the bot serves. */
export const commands: readonly (Command | MessageCommand)[] = [
  ...others,
  createAjuda(others),
  guardarProva,
];

/** Buttons of posts that no command opens. */
export const buttonSets: readonly ButtonSet[] = [fechamento];
