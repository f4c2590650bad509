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
  cpf: id("saque", "cpf"),
  phone: id("saque", "celular"),
  /** By the operation's code. */
  saveKey: id("saque", "guardar"),
  check: id("saques", "verificar"),
  status: id("saques", "status"),
  happened: id("saques", "aconteceu"),
  didNotHappen: id("saques", "nao-aconteceu"),
} as const;
