import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";

/** Keeps a picture of a message: in docs/ when somebody asked for new ones, else in a folder that is thrown away. */
export const takePicture = async (
  message: Locator,
  name: string,
  thrownAway: string,
): Promise<void> => {
  const folder = process.env["UPDATE_SCREENSHOT"] === "1" ? "docs" : thrownAway;
  mkdirSync(folder, { recursive: true });
  // A mouse over the message would change its background.
  await message.page().mouse.move(0, 0);
  await message.screenshot({ path: join(folder, `${name}.png`), animations: "disabled" });
};
