import { ActionIcon, Anchor, Tooltip } from "@mantine/core";
import { IconBrandWhatsapp, IconCopy } from "../../look/icons.ts";
import { useCopy } from "../../parts/use-copy.ts";
import type { FieldKind } from "../../records/field-kind.ts";
import { useWords } from "../../words/use-words.ts";
import { VALUE_WORDS } from "./value-words.ts";

/** The link of a value: mail, phone, or an http(s) website; undefined for anything else. */
function linkOf(kind: FieldKind, value: string): string | undefined {
  if (kind === "email" && value.includes("@"))
    return `mailto:${encodeURIComponent(value).replace("%40", "@")}`;
  if (kind === "phone") {
    const number = value.replaceAll(/[^\d+]/g, "");
    return number.length >= 5 ? `tel:${number}` : undefined;
  }
  if (kind !== "url") return undefined;
  const address = /^https?:\/\//i.test(value) ? value : `https://${value}`;
  try {
    const url = new URL(address);
    return /^https?:$/.test(url.protocol) && url.hostname.includes(".") ? url.href : undefined;
  } catch {
    return undefined;
  }
}

/** A value as a link, or as text if it has none. */
export function FactLink({ kind, value, text }: { kind: FieldKind; value: string; text: string }) {
  const href = linkOf(kind, value);
  if (href === undefined) return <bdi>{text}</bdi>;
  const elsewhere = kind === "url" ? { target: "_blank", rel: "noreferrer noopener" } : {};
  return (
    <Anchor href={href} inherit {...elsewhere}>
      <bdi>{text}</bdi>
    </Anchor>
  );
}

export function CopyValue({ value, of }: { value: string; of: string }) {
  const words = useWords(VALUE_WORDS);
  const copy = useCopy();
  return (
    <Tooltip label={words.copy}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={26}
        onClick={() => copy(value)}
        aria-label={`${words.copy}: ${of}`}
      >
        <IconCopy size={15} />
      </ActionIcon>
    </Tooltip>
  );
}

/** A link that opens WhatsApp on this device for an E.164 number, without a page of another host. */
export function WhatsAppLink({ phone }: { phone: string }) {
  const words = useWords(VALUE_WORDS);
  const name = `${words.whatsapp} ${phone}`;
  return (
    <Tooltip label={name}>
      <ActionIcon
        component="a"
        href={`whatsapp://send?phone=${phone.replaceAll(/\D/g, "")}`}
        variant="subtle"
        color="gray"
        size={26}
        aria-label={name}
      >
        <IconBrandWhatsapp size={15} />
      </ActionIcon>
    </Tooltip>
  );
}
