import { element } from "./element.ts";

interface Suggestion {
  readonly label: string;
  readonly detail: string;
  readonly pick: () => void;
}

export type SuggestionList = ReturnType<typeof createSuggestionList>;

/** The list above the composer. It handles mouse and keys while the field keeps the focus. */
export const createSuggestionList = (root: HTMLElement) => {
  let field: HTMLInputElement | undefined;
  let suggestions: readonly Suggestion[] = [];
  let active = -1;

  const hide = (): void => {
    field?.setAttribute("aria-expanded", "false");
    field?.removeAttribute("aria-activedescendant");
    suggestions = [];
    root.replaceChildren();
    root.hidden = true;
  };

  const mark = (place: number): void => {
    active = place;
    for (const [at, row] of root.querySelectorAll("[role=option]").entries()) {
      row.setAttribute("aria-selected", String(at === place));
      if (at !== place) continue;
      row.scrollIntoView({ block: "nearest" });
      field?.setAttribute("aria-activedescendant", row.id);
    }
    if (place < 0) field?.removeAttribute("aria-activedescendant");
  };

  const row = (suggestion: Suggestion, place: number): HTMLElement =>
    element(
      "div",
      {
        id: `suggestion-${place}`,
        role: "option",
        class: "suggestion",
        // `mousedown` comes before the field would lose its focus.
        onmousedown: (event: MouseEvent) => {
          event.preventDefault();
          suggestion.pick();
        },
        onmousemove: () => {
          if (active !== place) mark(place);
        },
      },
      element("span", { class: "suggestion-label" }, suggestion.label),
      element("span", { class: "suggestion-detail" }, suggestion.detail),
    );

  return {
    /** Shows suggestions for this field. `first`: marks the first suggestion, so that Enter picks it. */
    show: (
      nextField: HTMLInputElement,
      title: string,
      next: readonly Suggestion[],
      first: boolean,
    ): void => {
      field = nextField;
      suggestions = next;
      root.hidden = false;
      root.replaceChildren(
        element("div", { class: "suggestions-title", role: "presentation" }, title),
        ...next.map(row),
      );
      field.setAttribute("aria-expanded", String(next.length > 0));
      mark(first && next.length > 0 ? 0 : -1);
    },
    hide,
    /** Arrows move, Enter and Tab pick, Escape closes. Returns true for a handled key. */
    handleKey: (event: KeyboardEvent): boolean => {
      if (root.hidden) return false;
      const { length } = suggestions;
      switch (event.key) {
        case "ArrowDown":
          if (length > 0) mark((active + 1) % length);
          break;
        case "ArrowUp":
          if (length > 0) mark((Math.max(active, 0) - 1 + length) % length);
          break;
        case "Enter":
        case "Tab":
          if (active < 0 || event.shiftKey) return false;
          suggestions[active]?.pick();
          break;
        case "Escape":
          hide();
          break;
        default:
          return false;
      }
      event.preventDefault();
      return true;
    },
  };
};
