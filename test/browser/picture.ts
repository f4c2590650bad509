import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";

/** Saves a picture of a message: in docs/ with UPDATE_SCREENSHOT=1, otherwise in a temporary folder. */
export const takePicture = async (
  message: Locator,
  name: string,
  thrownAway: string,
): Promise<void> => {
  const folder = process.env["UPDATE_SCREENSHOT"] === "1" ? "docs" : thrownAway;
  mkdirSync(folder, { recursive: true });
  // Hovering would change the message's background.
  await message.page().mouse.move(0, 0);
  await message.screenshot({ path: join(folder, `${name}.png`), animations: "disabled" });
};
