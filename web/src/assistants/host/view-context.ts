import { createContext, use } from "react";
import { type Format, formatIn } from "../../words/written.ts";

/** What every part of a view may need. */
export interface View {
  /** The language and region that dates and numbers are written in (BCP 47). */
  tag: string;
  format: Format;
  /** Opens a URL in the person's browser; false if the host does not. */
  openLink(url: string): Promise<boolean>;
}

export const ViewContext = createContext<View>({
  tag: "en",
  format: formatIn("en", "UTC", null),
  openLink: async () => false,
});

export const useView = (): View => use(ViewContext);
