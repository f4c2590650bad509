import type { Charge } from "#src/charges/charge.ts";
import { cents } from "#src/shared/money.ts";
import { NOW } from "../support/samples.ts";

/** The example of the Banco Central's manual. */
export const CODE =
  "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000" +
  "5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D";

export const sampleCharge = (given: Partial<Charge> = {}): Charge => ({
  id: "abcdefghijklmnop",
  version: 0,
  ownerId: "1180000000000000011",
  accountId: "account-1",
  guildId: "1180000000000000001",
  channelId: "1180000000000000102",
  locale: "pt-BR",
  cardLocale: "pt-BR",
  amount: cents(7_990),
  description: "Plano VIP mensal",
  state: "open",
  txid: "c5d1f08e27ab",
  code: CODE,
  problem: undefined,
  fee: undefined,
  net: undefined,
  expiresAt: NOW.add({ minutes: 30 }),
  createdAt: NOW,
  endedAt: undefined,
  checks: 0,
  nextCheckAt: NOW,
  card: undefined,
  ...given,
});
