import type { WithdrawOp } from "../../domain/withdraw-op.ts";

/**
 * Custom ids in the form of `discord/command.ts`; `commands/` handles each. They carry a token, a code, a txid, a
 * filter or an owner, never an amount or a key.
 */
const customId = (command: string, action: string) => (argument: string) =>
  `${command}:${action}:${argument}`;

export const withdrawIds = {
  /** By token. */
  confirm: customId("saque", "confirmar"),
  pin: customId("saque", "pin"),
  abandon: customId("saque", "desistir"),
  speed: customId("saque", "modalidade"),
  cpf: customId("saque", "cpf"),
  phone: customId("saque", "celular"),
  /** By the operation's code. */
  redo: customId("saque", "refazer"),
  saveKey: customId("saque", "guardar"),
  check: customId("saques", "verificar"),
  status: customId("saques", "status"),
  happened: customId("saques", "aconteceu"),
  didNotHappen: customId("saques", "nao-aconteceu"),
} as const;

/** Name under which the private reply is edited. A question has a name of its own, which its click removes. */
export const liveName = ({ id, state }: Pick<WithdrawOp, "id" | "state">): string =>
  state === "draft" || state === "abandoned" ? `${id}?` : id;

export const withdrawalIds = {
  list: customId("saques", "lista")(""),
  filter: customId("saques", "filtro")(""),
  open: customId("saques", "ver")(""),
  /** By the operation's code or by txid. */
  receipt: customId("saques", "recibo"),
  /** By txid. */
  cancel: customId("saques", "cancelar"),
  /** By the operation's code; forms. */
  decidedHappened: customId("saques", "decidir-sim"),
  decidedDidNotHappen: customId("saques", "decidir-nao"),
  /** By the question's answer id. */
  acknowledge: customId("saques", "conferi"),
} as const;

/** By owner. */
export const guardIds = {
  lock: customId("travar", "agora"),
  unlock: customId("travar", "destravar"),
  panelLock: customId("seguranca", "travar"),
  panelUnlock: customId("seguranca", "destravar"),
  createPin: customId("seguranca", "pin"),
  changePin: customId("seguranca", "pin-trocar"),
  removePin: customId("seguranca", "pin-tirar"),
  savePin: customId("seguranca", "pin-salvar"),
  dropPin: customId("seguranca", "pin-apagar"),
  cap: customId("seguranca", "limite"),
  saveCap: customId("seguranca", "limite-salvar"),
  waitOn: customId("seguranca", "espera-ligar"),
  waitOff: customId("seguranca", "espera-desligar"),
  forgetKey: customId("seguranca", "esquecer"),
} as const;
