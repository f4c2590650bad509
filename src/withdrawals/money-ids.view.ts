import type { WithdrawOp } from "./withdraw-op.ts";
import { customIdOf } from "../ui/reply.ts";

/**
 * Custom ids in the form of `discord/command.ts`; `commands/` handles each. They carry a token, a code, a txid, a
 * filter or an owner, never an amount or a key.
 */
export const withdrawIds = {
  /** By token. */
  confirm: customIdOf("saque", "confirmar"),
  pin: customIdOf("saque", "pin"),
  abandon: customIdOf("saque", "desistir"),
  speed: customIdOf("saque", "modalidade"),
  cpf: customIdOf("saque", "cpf"),
  phone: customIdOf("saque", "celular"),
  /** By the operation's code. */
  redo: customIdOf("saque", "refazer"),
  saveKey: customIdOf("saque", "guardar"),
  check: customIdOf("saques", "verificar"),
  status: customIdOf("saques", "status"),
  happened: customIdOf("saques", "aconteceu"),
  didNotHappen: customIdOf("saques", "nao-aconteceu"),
} as const;

/** Name under which the private reply is edited. A question has a name of its own, which its click removes. */
export const liveName = ({ id, state }: Pick<WithdrawOp, "id" | "state">): string =>
  state === "draft" || state === "abandoned" ? `${id}?` : id;

export const withdrawalIds = {
  list: customIdOf("saques", "lista")(""),
  filter: customIdOf("saques", "filtro")(""),
  open: customIdOf("saques", "ver")(""),
  /** By the operation's code or by txid. */
  receipt: customIdOf("saques", "recibo"),
  /** By txid. */
  cancel: customIdOf("saques", "cancelar"),
  /** By the operation's code; forms. */
  decidedHappened: customIdOf("saques", "decidir-sim"),
  decidedDidNotHappen: customIdOf("saques", "decidir-nao"),
  /** By the question's answer id. */
  acknowledge: customIdOf("saques", "conferi"),
} as const;
