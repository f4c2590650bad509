import type { PageMessage } from "../page-view.ts";
import { renderEmbed } from "./embed.ts";
import { element } from "./element.ts";
import { markdownNodes } from "./markdown-nodes.ts";
import { renderFile } from "./message-file.ts";
import { renderControls } from "./message-controls.ts";
import type { MessageContext } from "./message-context.ts";
import { renderMenu } from "./message-menu.ts";
import { textsIn } from "./texts.ts";
import { messageTime } from "./times.ts";

/** A message as this person sees it. `dismiss` puts a private one away. */
export const renderMessage = (
  message: PageMessage,
  context: MessageContext,
  dismiss: () => void,
): HTMLElement => {
  const texts = textsIn(context.view.me.locale);
  const failed = context.attempt?.state === "failed";
  return element(
    "discord-message",
    {
      author: message.author.name,
      avatar: message.author.avatar,
      bot: message.author.bot,
      timestamp: messageTime(Date.parse(message.sentAt), context.view.me.locale, context.now()),
      class: message.private ? "private" : undefined,
      "data-message": message.id,
    },
    answersLine(message, texts.used),
    ...bodyOf(message, context),
    message.edited && message.content !== ""
      ? element("span", { class: "edited" }, ` ${texts.edited}`)
      : null,
    ...message.embeds.map((embed) => renderEmbed(embed, context)),
    ...message.images.map(renderImage),
    ...message.files.map((file) => renderFile(file, context.view.me.locale)),
    ...renderControls(message, context),
    renderMenu(message, context),
    failed ? note("failed", texts.interactionFailed) : null,
    message.private && !message.thinking
      ? note("private-note", texts.onlyYou, { label: texts.dismiss, act: dismiss })
      : null,
  );
};

const bodyOf = (message: PageMessage, context: MessageContext): readonly Node[] =>
  message.thinking
    ? [thinkingDots(textsIn(context.view.me.locale).thinking(context.view.botName))]
    : markdownNodes(message.content, context, false);

export const thinkingDots = (text: string): HTMLElement =>
  element(
    "span",
    { class: "thinking", role: "status" },
    element(
      "span",
      { class: "dots", "aria-hidden": "true" },
      element("i"),
      element("i"),
      element("i"),
    ),
    text,
  );

export const answersLine = (
  message: Pick<PageMessage, "answers">,
  used: string,
): HTMLElement | null =>
  message.answers === null
    ? null
    : element(
        "div",
        { slot: "reply", class: "answers" },
        element("img", { src: message.answers.avatar, alt: "", width: 16, height: 16 }),
        element("strong", {}, message.answers.by),
        element("span", {}, used),
        element("code", {}, message.answers.command),
      );

/** A line under the message, with something to do about it. */
export const note = (
  kind: "failed" | "private-note",
  text: string,
  action?: { readonly label: string; readonly act: () => void },
): HTMLElement =>
  element(
    "div",
    { slot: "components", class: kind },
    element("span", {}, text),
    ...(action === undefined
      ? []
      : [
          element("span", { "aria-hidden": "true" }, " • "),
          element(
            "button",
            { type: "button", class: "linklike", onclick: action.act },
            action.label,
          ),
        ]),
  );

/** Pictures come from this machine alone; of any other, only the name is shown. */
const renderImage = ({ url, name }: PageMessage["images"][number]): HTMLElement => {
  const local = new URL(url, location.href).hostname === location.hostname;
  return local
    ? element("img", { slot: "attachments", class: "attachment", src: url, alt: name })
    : element("span", { slot: "attachments", class: "attachment-name" }, name);
};
