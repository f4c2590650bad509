/**
 * Custom ids of everything that is clicked about the list of withdrawals and the guards, in the form of
 * `discord/custom-id.ts`. They carry a code, a txid, a filter or whose they are, never an amount or a key. `commands/`
 * serves each of them.
 */
const id = (command: string, action: string) => (argument: string) =>
  `${command}:${action}:${argument}`;

export const withdrawalIds = {
  list: id("saques", "lista")(""),
  filter: id("saques", "filtro")(""),
  open: id("saques", "ver")(""),
  /** By the operation's code or by txid. */
  receipt: id("saques", "recibo"),
  /** By txid. */
  cancel: id("saques", "cancelar"),
  /** By the operation's code; forms. */
  decidedHappened: id("saques", "decidir-sim"),
  decidedDidNotHappen: id("saques", "decidir-nao"),
  /** By the question's name. */
  acknowledge: id("saques", "conferi"),
} as const;

/** By owner. */
export const guardIds = {
  lock: id("travar", "agora"),
  unlock: id("travar", "destravar"),
  panelLock: id("seguranca", "travar"),
  panelUnlock: id("seguranca", "destravar"),
  createPin: id("seguranca", "pin"),
  changePin: id("seguranca", "pin-trocar"),
  removePin: id("seguranca", "pin-tirar"),
  savePin: id("seguranca", "pin-salvar"),
  dropPin: id("seguranca", "pin-apagar"),
  cap: id("seguranca", "limite"),
  saveCap: id("seguranca", "limite-salvar"),
  waitOn: id("seguranca", "espera-ligar"),
  waitOff: id("seguranca", "espera-desligar"),
  forgetKey: id("seguranca", "esquecer"),
} as const;
