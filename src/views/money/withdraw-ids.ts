import type { WithdrawOp } from "../../domain/withdraw-op.ts";

/**
 * Custom ids of everything that is clicked about withdrawals, in the form of `discord/custom-id.ts`. They carry a token or
 * the code of an operation, never an amount or a key. `commands/` serves each of them.
 */
const id = (command: string, action: string) => (argument: string) =>
  `${command}:${action}:${argument}`;

export const withdrawIds = {
  /** By token. */
  confirm: id("saque", "confirmar"),
  pin: id("saque", "pin"),
  abandon: id("saque", "desistir"),
  speed: id("saque", "modalidade"),
  cpf: id("saque", "cpf"),
  phone: id("saque", "celular"),
  /** By the operation's code. */
  redo: id("saque", "refazer"),
  saveKey: id("saque", "guardar"),
  check: id("saques", "verificar"),
  status: id("saques", "status"),
  happened: id("saques", "aconteceu"),
  didNotHappen: id("saques", "nao-aconteceu"),
} as const;

/** Under which its private reply is edited: the question has a name of its own, which its click takes away. */
export const liveName = ({ id, state }: Pick<WithdrawOp, "id" | "state">): string =>
  state === "draft" || state === "abandoned" ? `${id}?` : id;
