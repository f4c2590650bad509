import { expect, it } from "vitest";
import { Secret } from "#src/shared/secret.ts";
import { actor, openMoneyStage, withdrawn } from "./money-stage.ts";
import { LOST } from "./plain-wallet.ts";

const lost = async () => {
  const stage = await openMoneyStage();
  const { openListings, vault } = stage.stores;
  await openListings.note(vault.fingerprint(new Secret("sk_sandbox_ana_4f9c2d7e1b")), "turbo");
  const requestedAt = stage.clock.now().subtract({ hours: 30 });
  stage.add({ txid: "OLD", status: "completed", requestedAt });
  stage.works = false;
  stage.answer = LOST;
  const { op } = await withdrawn(stage);
  return { stage, id: op.id };
};

it("A list that was read too early is no absence, however late its details come", async () => {
  const { stage, id } = await lost();
  stage.clock.moveBy((72 * 60 - 0.5) * 60_000);
  stage.add({ pixKey: "carla@example.com", amount: stage.executed.get("OLD")!.amount });
  const { wallet } = stage;
  const slow = stage.process({
    wallet: {
      ...wallet,
      withdrawal: (...asked) => {
        stage.clock.moveBy(60_000);
        return wallet.withdrawal(...asked);
      },
    },
  });

  await slow.withdrawals.check(actor(), id);

  expect(await stage.op(id)).toMatchObject({ state: "manual", absences: 0 });
});

it("A clock that jumps ahead does not make an absence older than it is by the service's clock", async () => {
  const { stage, id } = await lost();
  const { wallet } = stage;
  const jumped = stage.process({
    wallet: {
      ...wallet,
      withdrawals: async (...asked) => ({
        ...(await wallet.withdrawals(...asked)),
        skewMs: -60 * 60_000,
      }),
    },
  });
  stage.clock.moveBy(72 * 60 * 60_000);

  await jumped.withdrawals.check(actor(), id);
  stage.clock.moveBy(3 * 60_000);
  await jumped.withdrawals.check(actor(), id);

  expect(await stage.op(id)).toMatchObject({ state: "manual", absences: 0 });
});
