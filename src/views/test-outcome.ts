import type { TestPostResult } from "../domain/test-post.ts";
import type { Locale } from "../texts/locale.ts";
import { textsFor } from "../texts/texts.ts";
import { channel } from "./mention.ts";
import { reply, type Reply } from "./reply.ts";

/** How a test post ended. */
export const testOutcomeView = (
  result: TestPostResult,
  channelId: string,
  locale: Locale,
): Reply => {
  const { title, text } = textsFor(locale).reports.testOutcomes[result];
  const tone = result === "posted" ? "accent" : "warning";
  return reply({ tone, title, description: text(channel(channelId)) });
};
