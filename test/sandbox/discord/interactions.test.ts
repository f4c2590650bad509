import { expect, test } from "vitest";
import { HOUR, MINUTE } from "#src/shared/time.ts";
import { ANA, BRUNO, CHANNELS } from "#src/sandbox/world.ts";
import type { LocalDiscord, LocalDiscordOptions } from "#src/sandbox/discord/local-discord.ts";
import { type Exchange, startPlainBot } from "./plain-bot.ts";
import { type RestAnswer, type Running, startDiscord } from "./running.ts";

const ASK = { channelId: CHANNELS.geral.id, name: "vendas" };
const MESSAGE = 4;
const DEFER = 5;
const DEFER_UPDATE = 6;
const PRIVATE = { flags: 64 };

interface Setting extends Running {
  readonly exchanges: readonly Exchange[];
}

const start = async (
  handle?: (given: Exchange) => unknown,
  options: Partial<LocalDiscordOptions> = {},
): Promise<Setting> => {
  const running = await startDiscord(options);
  return { ...running, exchanges: await startPlainBot(running, handle) };
};

const codeOf = (answer: RestAnswer): readonly number[] => [answer.status, answer.body.code];

const inGeral = (discord: LocalDiscord, personId: string) =>
  discord.visibleTo(personId).channels[0]?.messages ?? [];

test("a private answer is on its owner's screen and on nobody else's", async () => {
  const { discord } = await start(({ answer }) =>
    answer(MESSAGE, { ...PRIVATE, content: "só sua" }),
  );
  const shown = await discord.person(ANA.id).command(ASK);
  expect(shown).toMatchObject({ kind: "message", private: true });
  expect(inGeral(discord, ANA.id)).toMatchObject([
    { content: "só sua", privateTo: ANA.id, flags: 64, answers: { commandName: "vendas" } },
  ]);
  expect(inGeral(discord, BRUNO.id)).toEqual([]);
  expect(discord.messages(CHANNELS.geral.id)).toEqual([]);
});

test("a deferred answer is seen as thinking until it is edited, and stays as private as it was deferred", async () => {
  let exchange: Exchange | undefined;
  const { discord } = await start(async (given) => {
    await given.answer(DEFER, PRIVATE);
    exchange = given;
    const thinking = inGeral(discord, ANA.id);
    expect(thinking).toMatchObject([{ thinking: true, content: "", flags: 64 | 128 }]);
    expect((await given.original()).status).toBe(200);
    await given.edit({ content: "pronto" });
  });
  expect(await discord.person(ANA.id).command(ASK)).toMatchObject({
    kind: "message",
    private: true,
    message: { content: "pronto", thinking: false, flags: 64, editedAt: undefined },
  });
  expect((await exchange?.original())?.body.content).toBe("pronto");
});

test("a second first answer is refused with 40060 and changes nothing", async () => {
  const { discord, exchanges } = await start(({ answer }) => answer(MESSAGE, { content: "um" }));
  await discord.person(ANA.id).command(ASK);
  const again = await exchanges[0]?.answer(MESSAGE, { content: "dois" });
  expect(again === undefined ? [] : codeOf(again)).toEqual([400, 40060]);
  expect(discord.messages(CHANNELS.geral.id)).toMatchObject([{ content: "um" }]);
});

test("a person who got no answer in time sees a failure, and a later answer is refused with 10062", async () => {
  const { discord, exchanges } = await start(() => {}, { answerWithinMs: 20 });
  const shown = await discord.person(ANA.id).command(ASK);
  expect(shown).toEqual({ kind: "failed", reason: "no_answer" });
  const late = await exchanges[0]?.answer(MESSAGE, { content: "tarde" });
  expect(late === undefined ? [] : codeOf(late)).toEqual([404, 10062]);
});

test("an interaction that nobody made is unknown", async () => {
  const { rest } = await start();
  const answer = await rest("POST", "/interactions/1/none/callback", { type: 5 });
  expect(codeOf(answer)).toEqual([404, 10062]);
});

test("before the first answer there is no webhook", async () => {
  const refused = Promise.withResolvers<readonly number[]>();
  const { discord } = await start(async ({ answer, edit }) => {
    refused.resolve(codeOf(await edit({ content: "cedo" })));
    await answer(MESSAGE, { content: "um" });
  });
  await discord.person(ANA.id).command(ASK);
  expect(await refused.promise).toEqual([404, 10015]);
});

test("the token is good for 15 minutes of the virtual clock", async () => {
  const { discord, clock, exchanges } = await start(({ answer }) =>
    answer(MESSAGE, { content: "a" }),
  );
  await discord.person(ANA.id).command(ASK);
  clock.moveBy(14 * MINUTE);
  expect((await exchanges[0]?.edit({ content: "b" }))?.status).toBe(200);
  clock.moveBy(2 * MINUTE);
  for (const act of [exchanges[0]?.edit, exchanges[0]?.followUp]) {
    const answer = await act?.({ content: "c" });
    expect(answer === undefined ? [] : codeOf(answer)).toEqual([401, 50027]);
  }
  expect(discord.messages(CHANNELS.geral.id)).toMatchObject([{ content: "b" }]);
});

test("a person whose answer was deferred and never came gives up when the token expires", async () => {
  const deferred = Promise.withResolvers<void>();
  const { discord, clock } = await start(async ({ answer }) => {
    await answer(DEFER, {});
    deferred.resolve();
  });
  const shown = discord.person(ANA.id).command(ASK);
  await deferred.promise;
  clock.moveBy(HOUR);
  expect(await shown).toEqual({ kind: "failed", reason: "unfinished" });
});

test("a person whose update was deferred and never came sees the message as it is when the token expires", async () => {
  const updating = Promise.withResolvers<void>();
  const button = { type: 2, style: 1, label: "ok", custom_id: "ok" };
  const { discord, clock, rest } = await start(async ({ interaction, answer }) => {
    if (interaction.type === 2) {
      await answer(MESSAGE, { content: "um", components: [{ type: 1, components: [button] }] });
    } else {
      await answer(DEFER_UPDATE);
      updating.resolve();
    }
  });
  const ana = discord.person(ANA.id);
  await ana.command(ASK);
  const [shown] = inGeral(discord, ANA.id);
  const clicked = ana.click(shown?.id ?? "", "ok");
  await updating.promise;
  await rest("PATCH", `/channels/${CHANNELS.geral.id}/messages/${shown?.id}`, { content: "dois" });
  clock.moveBy(HOUR);
  expect(await clicked).toMatchObject({ kind: "message", message: { content: "dois" } });
});

test("the first follow-up takes the place of a deferred answer, the second is a message of its own", async () => {
  const done = Promise.withResolvers<void>();
  const { discord } = await start(async ({ answer, followUp }) => {
    await answer(DEFER, {});
    await followUp({ content: "um" });
    await followUp({ content: "dois", flags: 64 });
    done.resolve();
  });
  await discord.person(ANA.id).command(ASK);
  await done.promise;
  expect(inGeral(discord, ANA.id)).toMatchObject([
    { content: "um", privateTo: undefined },
    { content: "dois", privateTo: ANA.id },
  ]);
});

test("an edit that would leave nothing to see is refused with 50006", async () => {
  const { discord, exchanges } = await start(({ answer }) => answer(MESSAGE, { content: "um" }));
  await discord.person(ANA.id).command(ASK);
  const emptied = await exchanges[0]?.edit({ content: "" });
  expect(emptied === undefined ? [] : codeOf(emptied)).toEqual([400, 50006]);
  expect(discord.messages(CHANNELS.geral.id)).toMatchObject([{ content: "um" }]);
});

test("a first answer of a kind that does not fit the interaction is refused, and can be put right", async () => {
  const refused = Promise.withResolvers<readonly number[]>();
  const { discord } = await start(async ({ answer }) => {
    refused.resolve(codeOf(await answer(7, { content: "editar o quê?" })));
    await answer(MESSAGE, { content: "agora sim" });
  });
  expect(await discord.person(ANA.id).command(ASK)).toMatchObject({
    message: { content: "agora sim" },
  });
  expect(await refused.promise).toEqual([400, 50035]);
});

test("without a bot a person is told so at once", async () => {
  const running = await startDiscord();
  await running.rest("PUT", "/applications/1180000000000000301/commands", [
    { name: "vendas", description: "d" },
  ]);
  expect(running.discord.visibleTo(ANA.id).botOnline).toBe(false);
  expect(await running.discord.person(ANA.id).command(ASK)).toMatchObject({ reason: "offline" });
});
