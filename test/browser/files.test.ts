import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPage } from "#src/sandbox/page/page-server.ts";
import type { RunningPage } from "#src/sandbox/page/page-server.ts";
import { startSandbox } from "#src/sandbox/start-sandbox.ts";
import type { Sandbox } from "#src/sandbox/start-sandbox.ts";
import { APPLICATION, CHANNELS } from "#src/sandbox/world.ts";
import { hasChromium } from "./chromium.ts";
import { openBrowser, PHONE } from "./open-browser.ts";
import type { Browser } from "./open-browser.ts";
import { screenOf } from "./screen.ts";

const ATTACH_FILES = 1n << 15n;
const INVITED = 84_992n;
const NAME = `prazo-${"x".repeat(70)}.html`;
/** Shown instead of saved, it would run. */
const DATA = "<script>document.title='x'</script>".repeat(50);

describe.skipIf(!hasChromium)("a file under a message", () => {
  let sandbox: Sandbox;
  let running: RunningPage;
  let browser: Browser;

  beforeAll(async () => {
    sandbox = await startSandbox({ start: Temporal.Instant.from("2026-11-21T17:30:00Z") });
    running = await startPage({ sandbox, port: 0 });
    browser = await openBrowser(running.url, PHONE);
  });
  afterAll(async () => {
    await browser.close();
    await running.stop();
    await sandbox.stop();
  });

  test("has its name and size, and is saved by its link as it is", async () => {
    const { id } = CHANNELS.geral;
    sandbox.discord.setBotPermissions(id, INVITED | ATTACH_FILES);
    const form = new FormData();
    form.append("payload_json", JSON.stringify({ content: "veja" }));
    form.append("files[0]", new Blob([DATA], { type: "text/html" }), NAME);
    const posted = await fetch(`${sandbox.discord.apiUrl}/v10/channels/${id}/messages`, {
      method: "POST",
      headers: { authorization: `Bot ${APPLICATION.token}` },
      body: form,
    });
    expect(posted.status).toBe(200);

    const { page } = browser;
    const message = screenOf(page).newest();
    const link = message.getByRole("link", { name: NAME });
    await link.waitFor();
    expect(await message.innerText()).toContain("1,7 kB");
    const box = await message.locator(".file").boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? Infinity)).toBeLessThanOrEqual(PHONE.width);

    const saving = page.waitForEvent("download");
    await link.click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe(NAME);
    expect(readFileSync(await saved.path(), "utf8")).toBe(DATA);
    expect(page.url()).toBe(`${running.url}/`);
    expect(browser.complaints).toEqual([]);
  });
});
