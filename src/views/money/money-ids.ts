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

/**
 * Custom ids of everything that is clicked about the list of withdrawals and the guards, in the form of
 * `discord/custom-id.ts`. They carry a code, a txid, a filter or whose they are, never an amount or a key. `commands/`
 * serves each of them.
 */
const customId = (command: string, action: string) => (argument: string) =>
  `${command}:${action}:${argument}`;

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
  /** By the question's name. */
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
