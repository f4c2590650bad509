import type { PageMessage } from "../page-view.ts";
import { element } from "./element.ts";
import type { MessageContext } from "./message-context.ts";
import { textsIn } from "./texts.ts";

/** The commands that Discord offers on a message everybody sees; none in direct messages. */
export const renderMenu = (message: PageMessage, context: MessageContext): HTMLElement | null => {
  const { menuCommands, me } = context.view;
  if (message.private || !context.inGuild || menuCommands.length === 0) return null;
  const menu: HTMLDetailsElement = element(
    "details",
    { slot: "components", class: "message-menu" },
    element("summary", { "aria-label": textsIn(me.locale).messageMenu }, "⋯"),
    ...menuCommands.map(({ name, label }) =>
      element(
        "button",
        {
          type: "button",
          class: "button small secondary",
          onclick: () => {
            menu.open = false;
            void context.perform(
              { kind: "menu", messageId: message.id, name },
              { label: name, messageId: message.id },
            );
          },
        },
        label,
      ),
    ),
  );
  return menu;
};
