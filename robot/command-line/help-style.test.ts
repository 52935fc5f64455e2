import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { useHelpStyle, wrapParagraphs } from "./help-style.ts";
import { repeatable } from "./values.ts";

describe("wrapParagraphs", () => {
  test("joins the lines of a paragraph and wraps them", () => {
    expect(wrapParagraphs("\none two\nthree four\n", 9)).toBe("\none two\nthree\nfour\n");
  });

  test("leaves headings, examples and empty lines as they are", () => {
    const text = "Examples:\n  a long example --with options\n\nTemplates:\n  default";
    expect(wrapParagraphs(text, 10)).toBe(text);
  });

  test("keeps a word that is longer than a line", () => {
    expect(wrapParagraphs("to https://example.org/long", 10)).toBe("to\nhttps://example.org/long");
  });
});

describe("useHelpStyle", () => {
  function run(...args: string[]): { out: string; err: string } {
    const written = { out: "", err: "" };
    const program = new Command("tool")
      .exitOverride()
      .configureOutput({ writeOut: (text) => (written.out += text), writeErr: (text) => (written.err += text) });
    program
      .command("make")
      .description("Make a thing.")
      .option("--part <name>", "a part (repeatable)", repeatable(String), [])
      .option("--count <number>", "how many", "3")
      .addHelpText("after", `\n${"word ".repeat(40).trim()}`);
    expect(() => useHelpStyle(program).parse(args, { from: "user" })).toThrow();
    return written;
  }

  test("shows no empty list as a default, and wraps what stands below the options", () => {
    const { out } = run("make", "--help");
    expect(out).not.toContain("[]");
    expect(out).toContain('(default: "3")');
    expect(Math.max(...out.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(80);
  });

  test("an error names the help of its command", () => {
    expect(run("make", "--prat", "x").err).toContain("(tool make --help lists the options)");
    expect(run("--prat").err).toContain("(tool --help lists the options)");
  });
});
