import type { ComponentChildren } from "preact";

/** A README as headings, lists, code and text; links are shown as text with their address as title, pictures are left out. */
export function Readme({ text }: { text: string }) {
  return <div class="readme">{blocksOf(text).map(renderBlock)}</div>;
}

/** Splits at blank lines, outside of code. */
function blocksOf(text: string): string[] {
  const withoutPictures = text.replace(/<!--[\s\S]*?-->/g, "").replace(/!\[[^\]]*\]\([^)]*\)/g, "");
  const parts = withoutPictures.split(/^(```[\s\S]*?^```[ \t]*$)/m);
  return parts
    .flatMap((part) => (part.startsWith("```") ? [part] : part.split(/\n\s*\n|\n(?=#)/)))
    .filter((part) => part.trim() !== "");
}

function renderBlock(block: string, key: number): ComponentChildren {
  const text = block.trim();
  if (text.startsWith("```")) return <pre key={key}>{text.replace(/^```.*\n?|```$/g, "")}</pre>;
  const heading = /^(#+)\s+([^\n]*)\n?([\s\S]*)$/.exec(text);
  if (heading !== null)
    return (
      <div key={key}>
        <h4>{inline(heading[2] ?? "")}</h4>
        {heading[3] !== "" && <p>{inline(heading[3] ?? "")}</p>}
      </div>
    );
  if (/^[-*] /.test(text))
    return (
      <ul key={key}>
        {text.split(/\n(?=[-*] )/).map((item) => (
          <li key={item}>{inline(item.replace(/^[-*] /, ""))}</li>
        ))}
      </ul>
    );
  if (text.startsWith("|")) return <pre key={key}>{text}</pre>;
  return <p key={key}>{inline(text.replace(/<[^>]+>/g, ""))}</p>;
}

/** Code, bold text and links. */
function inline(text: string): ComponentChildren {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\))/).map((part) => {
    const link = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part);
    if (link !== null) return <LinkText key={part} text={link[1] ?? ""} address={link[2] ?? ""} />;
    if (part.startsWith("`") && part.length > 2) return <code key={part}>{part.slice(1, -1)}</code>;
    return part.startsWith("**") && part.length > 4 ? <b key={part}>{part.slice(2, -2)}</b> : part;
  });
}

function LinkText({ text, address }: { text: string; address: string }) {
  if (!/^https?:\/\//.test(address)) return <span title={address}>{text}</span>;
  return (
    <a href={address} target="_blank" rel="noreferrer">
      {text}
    </a>
  );
}
