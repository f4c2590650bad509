import { expect, it } from "vitest";
import type { WithdrawAnswer } from "#src/domain/withdrawal.ts";
import type { WithdrawState } from "#src/domain/withdraw-op.ts";
import { confirmed, openMoneyStage, prepared } from "./money-stage.ts";

const REFUSED: WithdrawAnswer = {
  state: "rejected",
  reason: "refused",
  httpStatus: 422,
  requestId: undefined,
  message: undefined,
  retryAfterMs: undefined,
  shortfall: undefined,
};
const NOT_SENT: WithdrawAnswer = {
  state: "not_sent",
  reason: "unreachable",
  errorCode: "ECONNREFUSED",
  retryAfterMs: undefined,
};

it.each<[WithdrawState, WithdrawAnswer | undefined]>([
  ["accepted", undefined],
  ["rejected", REFUSED],
  ["not_sent", NOT_SENT],
])(
  "Whoever was told that nobody knows is told that it was %s, once the database takes it",
  async (state, answer) => {
    const stage = await openMoneyStage();
    const { journal } = stage.stores;
    let failures = 3;
    const money = stage.process({
      journal: {
        ...journal,
        move: async (op, step, at) => {
          if (op.state === "sending" && failures-- > 0) throw new Error("the connection broke");
          return await journal.move(op, step, at);
        },
      },
    });
    const confirmation = await prepared({ money });
    stage.works = answer === undefined;
    stage.answer = answer;
    await expect(confirmed({ money }, confirmation)).rejects.toThrow("the connection broke");

    await money.sweep(false);

    const { id } = confirmation.op;
    expect((await stage.op(id)).state).toBe(state);
    expect(await stage.messages()).toEqual([`withdrawal|${id}|${state} due`]);
  },
);
