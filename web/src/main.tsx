import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "../../assets/tokens.css";
import "../../assets/frame.css";
import "./look/style.css";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./api/client.ts";
import { keepDraftsOnlyOf } from "./drafts/draft-store.ts";
import { lookStore } from "./look/look-store.ts";
import { themeIn, tokens } from "./look/theme.ts";
import { ConfirmProvider } from "./parts/confirm.tsx";
import { followNewerVersion } from "./parts/newer-version.ts";
import { submitOnce } from "./parts/one-click.ts";
import { Routes } from "./routes.tsx";
import { presentMe } from "./session/session.ts";
import { LocaleContext } from "./words/use-words.ts";

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
// react-remove-scroll, used by Mantine's dialogs, reads the nonce for its style from this variable
Object.assign(window, { __webpack_nonce__: nonce });

followNewerVersion();
submitOnce();

const { locale, person } = presentMe();
keepDraftsOnlyOf(person.id);
const theme = themeIn(locale);
document.documentElement.lang = locale;

const place = document.getElementById("panel");
if (place === null) throw new Error("The page has no #panel element");
createRoot(place).render(
  <StrictMode>
    <LocaleContext value={locale}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={tokens}
        colorSchemeManager={lookStore}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queryClient}>
          <ConfirmProvider>
            <Notifications position="bottom-right" autoClose={6_000} zIndex={300} />
            <Routes />
          </ConfirmProvider>
        </QueryClientProvider>
      </MantineProvider>
    </LocaleContext>
  </StrictMode>,
);
