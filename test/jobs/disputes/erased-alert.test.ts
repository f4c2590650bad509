import { describe, expect, test } from "vitest";
import { ANA, GUILD } from "../../store/builders.ts";
import { oneDatabase } from "../../support/databases.ts";
import { useDisputeStage } from "./dispute-stage.ts";

describe.each(oneDatabase)("an alert whose account goes, on $name", (kind) => {
  const open = useDisputeStage(kind);

  test("is not kept as its repeat, when the history was searched meanwhile", async () => {
    const stage = await open();
    stage.service.add("i1", 80);
    await stage.poll();
    stage.channels.mishap = () => ({ outcome: { kind: "unclear", reason: "reset" }, made: false });
    await stage.deliver();
    stage.channels.mishap = undefined;
    stage.skip({ minutes: 3 });
    Object.assign(stage.channels, {
      findPosted: async () => {
        await stage.stores.accounts.remove(GUILD, ANA, ANA, stage.clock.now());
        return { kind: "unreadable", lasting: true };
      },
    });
    await stage.deliver();
    expect(await stage.db.selectFrom("outbox").selectAll().execute()).toEqual([]);
    expect(stage.channels.messages).toEqual([]);
  });
});
