import { createDice } from "../dice.ts";

const ROW_ID_BYTES = 16;

/** The random numbers of the n-th account of a run: its id is drawn first, as in the real store. */
export const diceOfRow = (place: number) => createDice(1_000_000 + place);

/** Id of the n-th account, in the real store's form. */
export const rowIdOf = (place: number): string =>
  Buffer.from(diceOfRow(place).bytes(ROW_ID_BYTES)).toString("base64url");
