import { DiscordCode } from "@skyra/discord-components-core/discord-code.js";
import { DiscordEmbed } from "@skyra/discord-components-core/discord-embed.js";
import { DiscordMessage } from "@skyra/discord-components-core/discord-message.js";
import { DiscordPre } from "@skyra/discord-components-core/discord-pre.js";

/** What the page's own style sheets cannot reach: colours and sizes inside the message components. */
const STYLES = [
  [
    DiscordMessage,
    `.discord-message-timestamp { color: var(--text-soft); }
    .discord-message-content { min-width: 0; }
    :host .discord-message-markup { font-size: 15px; }
    .discord-author-avatar img { cursor: default; }`,
  ],
  [
    DiscordEmbed,
    `:host .discord-left-border { background-color: #5b616d; }
    :host .discord-embed-wrapper { min-width: 0; background-color: var(--ground-side); border-color: var(--line); }
    :host .discord-embed-wrapper .discord-embed-grid { grid-template-columns: minmax(0, 1fr); display: grid; }
    @media (min-width: 600px) { :host .discord-embed-root { min-width: 380px; } }`,
  ],
  [
    DiscordCode,
    `:host { background: none; }
    code, :host([embed]) code { margin: 0; padding: 1px 5px; background: var(--ground-deep); }
    :host([multiline]) code, :host([embed][multiline]) code {
      box-sizing: border-box; width: 100%; padding: 8px 10px; border: 1px solid var(--line); background: var(--ground-deep); }`,
  ],
  [DiscordPre, `:host pre, :host([embed]) pre { width: 100%; margin: 4px 0; }`],
] as const;

/** To be called before the first of them is drawn. */
export const styleComponents = (): void => {
  for (const [component, text] of STYLES) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    component.elementStyles.push(sheet);
  }
};
