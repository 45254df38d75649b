import { checkedFetch } from "./checked-fetch.ts";
import { checker, report } from "./expect.ts";

globalThis.fetch = checkedFetch(globalThis.fetch, checker, report);
