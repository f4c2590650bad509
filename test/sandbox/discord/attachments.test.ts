import { Agent, FormData, request } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { buildView } from "#src/sandbox/page/build-view.ts";
import { fileSize } from "#src/sandbox/page/client/message.ts";
import { startSandbox } from "#src/sandbox/start-sandbox.ts";
import { ANA, APPLICATION, CHANNELS } from "#src/sandbox/world.ts";
import { startPlainBot } from "./plain-bot.ts";
import { startDiscord, type Running } from "./running.ts";

/**
 * An own dispatcher: the process-wide default belongs to the undici copy that was loaded first, and an older copy
 * cannot send this form.
 */
const dispatcher = new Agent();

interface Upload {
  readonly name: string;
  readonly type: string;
  readonly data: string;
}

const upload = async (
  { discord }: Pick<Running, "discord">,
  method: "POST" | "PATCH",
  path: string,
  payload: object,
  files: readonly Upload[],
): Promise<number> => {
  const form = new FormData();
  form.append("payload_json", JSON.stringify(payload));
  for (const [n, { name, type, data }] of files.entries())
    form.append(`files[${n}]`, new Blob([data], { type }), name);
  const headers = { authorization: `Bot ${APPLICATION.token}` };
  const url = `${discord.apiUrl}/v10${path}`;
  const { statusCode, body } = await request(url, { method, headers, body: form, dispatcher });
  await body.dump();
  return statusCode;
};

const ICS: Upload = { name: "med.ics", type: "text/calendar", data: "BEGIN:VCALENDAR\r\n" };
const PDF: Upload = { name: "defesa é.pdf", type: "application/pdf", data: "%PDF-1.7\u0000" };
const named = (...files: readonly Upload[]) => ({
  attachments: files.map(({ name }, id) => ({ id, filename: name })),
});

test("a private answer keeps its file, which can be read and saved", async () => {
  const running = await startDiscord();
  const { discord } = running;
  await startPlainBot(running, async ({ interaction: { id, token } }) => {
    const data = { content: "veja", flags: 64, ...named(ICS) };
    await upload(running, "POST", `/interactions/${id}/${token}/callback`, { type: 4, data }, [
      ICS,
    ]);
  });
  const ana = discord.person(ANA.id);
  const shown = await ana.command({ channelId: CHANNELS.geral.id, name: "vendas" });
  if (shown.kind !== "message") throw new Error(JSON.stringify(shown));
  const [attachment] = shown.message.attachments;
  expect(attachment).toMatchObject({ filename: "med.ics", size: ICS.data.length });
  expect(discord.attachmentData(attachment?.id ?? "")?.toString()).toBe(ICS.data);
  expect(discord.attachmentData("1")).toBeUndefined();

  const saved = await request(attachment?.url ?? "");
  expect(saved.headers).toMatchObject({
    "content-type": "text/calendar",
    "content-disposition": "attachment",
  });
  expect(await saved.body.text()).toBe(ICS.data);
});

test("a file's address without its signature answers 404, as Discord's does", async () => {
  const { discord } = await startDiscord();
  const file = { name: "tela é.png", type: "image/png", data: Buffer.from("png") };
  const written = discord.person(ANA.id).write(CHANNELS.geral.id, "Recebi", [file]);
  const url = written.attachments[0]?.url ?? "";
  const statusOf = async (address: string): Promise<number> => {
    const { statusCode, body } = await request(address);
    await body.dump();
    return statusCode;
  };
  expect([...new URL(url).searchParams.keys()]).toEqual(["ex", "is", "hm"]);
  expect(await statusOf(url)).toBe(200);
  expect(await statusOf(url.replace(/\?.*/, ""))).toBe(404);
});

test("an edit that names its new files alone leaves only those, however often it is sent", async () => {
  const running = await startDiscord();
  const tokens: string[] = [];
  await startPlainBot(running, async ({ interaction, answer }) => {
    tokens.push(interaction.token);
    await answer(5, { flags: 64 });
    const path = `/webhooks/${APPLICATION.id}/${interaction.token}/messages/@original`;
    for (const file of [ICS, PDF, PDF]) await upload(running, "PATCH", path, named(file), [file]);
    await upload(running, "PATCH", path, { content: "fim", ...named(PDF) }, [PDF]);
  });
  const ana = running.discord.person(ANA.id);
  const changed = Promise.withResolvers<readonly string[]>();
  onTestFinished(
    running.discord.onChange(() => {
      const message = running.discord.visibleTo(ANA.id).channels[0]?.messages.at(-1);
      if (message?.content === "fim")
        changed.resolve(message.attachments.map(({ filename }) => filename));
    }),
  );
  const { id } = running.discord.visibleTo(ANA.id).channels[0] ?? { id: "" };
  await ana.command({ channelId: id, name: "vendas" });
  expect(await changed.promise).toEqual([PDF.name]);
});

test("the page gets name, size and address of a file, and pictures apart from them", async () => {
  const sandbox = await startSandbox({ start: Temporal.Instant.from("2026-11-21T17:30:00Z") });
  onTestFinished(sandbox.stop);
  const { id } = CHANNELS.vendas;
  sandbox.discord.setBotPermissions(id, (1n << 15n) | 84_992n);
  const png: Upload = { name: "qr.png", type: "image/png", data: "abc" };
  const files = [PDF, png];
  expect(await upload(sandbox, "POST", `/channels/${id}/messages`, named(...files), files)).toBe(
    200,
  );
  const { channels } = buildView(sandbox, ANA.id, new Set(), { wallet: [] } as never);
  const message = channels.find((channel) => channel.id === id)?.messages.at(-1);
  const size = Buffer.byteLength(PDF.data);
  expect(message?.files).toMatchObject([{ name: PDF.name, size }]);
  expect(message?.files[0]?.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/attachments\//);
  expect(message?.images).toMatchObject([{ name: "qr.png" }]);
});

test("sizes are in the person's language", () => {
  expect([512, 1_536, 10 * 1_024 * 1_024].map((bytes) => fileSize(bytes, "pt-BR"))).toEqual([
    "512 bytes",
    "1,5 kB",
    "10 MB",
  ]);
  expect(fileSize(1_536, "en-US")).toBe("1.5 kB");
});
