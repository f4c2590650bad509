import { expect, test } from "vitest";
import { ANA, BRUNO, CHANNELS } from "#src/sandbox/world.ts";
import { startPlainBot } from "./plain-bot.ts";
import { startDiscord, type Running } from "./running.ts";

const BUTTONS = [
  { type: 1, components: [{ type: 2, style: 4, custom_id: "travar", label: "Travar" }] },
];
const PRIVATE = 64;

const writeToAna = async ({ rest }: Running): Promise<string> => {
  const channel = await rest("POST", "/users/@me/channels", { recipient_id: ANA.id });
  const path = `/channels/${channel.body.id}/messages`;
  const { body } = await rest("POST", path, { content: "Aviso", components: BUTTONS });
  return body.id;
};

test("a button in a direct message works, and says that there is no guild", async () => {
  const running = await startDiscord();
  const exchanges = await startPlainBot(running, ({ answer }) =>
    answer(7, { content: "Travado", components: [] }),
  );
  const id = await writeToAna(running);
  const shown = await running.discord.person(ANA.id).click(id, "travar");
  expect(shown).toMatchObject({ kind: "message", message: { id, content: "Travado" } });
  const received = exchanges[0]?.interaction;
  expect(received).toMatchObject({ context: 1, user: { id: ANA.id }, data: { component_type: 2 } });
  expect(received).not.toHaveProperty("guild_id");
  expect(received).not.toHaveProperty("member");
});

test("nobody clicks in another person's direct messages", async () => {
  const running = await startDiscord();
  await startPlainBot(running);
  const id = await writeToAna(running);
  const shown = await running.discord.person(BRUNO.id).click(id, "travar");
  expect(shown).toMatchObject({ kind: "failed", reason: "unknown_component" });
});

test("a forged click reaches the bot from a message that the person does not see, with any id", async () => {
  const running = await startDiscord();
  const exchanges = await startPlainBot(running, ({ interaction, answer }) =>
    answer(4, { content: `Oi ${interaction.type}`, components: BUTTONS, flags: PRIVATE }),
  );
  const asked = { channelId: CHANNELS.geral.id, name: "vendas" };
  const anas = await running.discord.person(ANA.id).command(asked);
  if (anas.kind !== "message") throw new Error("Ana saw no message");
  const bruno = running.discord.person(BRUNO.id);
  expect((await bruno.click(anas.message.id, "travar")).kind).toBe("failed");
  const shown = await bruno.forgeClick(anas.message.id, "travar:de:ana");
  expect(shown).toMatchObject({ kind: "message", private: true });
  expect(exchanges.at(-1)?.interaction).toMatchObject({
    type: 3,
    data: { custom_id: "travar:de:ana" },
    message: { id: anas.message.id },
    member: { user: { id: BRUNO.id } },
  });
});
