// Screenshots with a palette of 256 colours: a third of their size, for the pictures of the documents. A page has few
// colours, and the blends at the rims of letters; where there are more, near ones become one (median cut: the box of
// colours that has the most to be told apart is cut in two, until there are 256).
import { deflateSync, inflateSync } from "node:zlib";

const kMost = 256;
type Colour = number; // 0xRRGGBB

const kMark = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
const kCrc = Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; ++k) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

function crc(bytes: Buffer): number {
  let c = 0xffffffff;
  for (const byte of bytes) c = kCrc[(c ^ byte) & 255]! ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

function chunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, "latin1"), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

interface Image {
  width: number;
  height: number;
  pixels: Uint32Array; // colours
}

// As browsers write them: eight bits, three or four channels, not interlaced.
function read(png: Buffer): Image {
  let [width, height, channels] = [0, 0, 0];
  const parts: Buffer[] = [];
  for (let at = kMark.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const kind = png.toString("latin1", at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + length);
    if (kind === "IHDR") {
      [width, height, channels] = [data.readUInt32BE(0), data.readUInt32BE(4), data[9] === 6 ? 4 : 3];
      if (data[8] !== 8 || ![2, 6].includes(data[9]!) || data[12] !== 0) throw new Error("no picture of a browser");
    }
    if (kind === "IDAT") parts.push(data);
    at += 12 + length;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const row = width * channels;
  const pixels = new Uint32Array(width * height);
  let above = new Uint8Array(row);
  for (let y = 0; y < height; ++y) {
    const from = y * (row + 1);
    const line = new Uint8Array(raw.subarray(from + 1, from + 1 + row));
    for (let i = 0; i < row; ++i) {
      const [left, up, corner] = [i < channels ? 0 : line[i - channels]!, above[i]!, i < channels ? 0 : above[i - channels]!];
      line[i]! += [0, left, up, (left + up) >> 1, nearest(left, up, corner)][raw[from]!]!;
    }
    for (let x = 0; x < width; ++x) {
      const i = x * channels;
      pixels[y * width + x] = (line[i]! << 16) | (line[i + 1]! << 8) | line[i + 2]!;
    }
    above = line;
  }
  return { width, height, pixels };
}

function nearest(left: number, up: number, corner: number): number {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

const part = (colour: Colour, shift: number): number => (colour >> shift) & 255;

interface Box {
  colours: [Colour, number][]; // with how often they are there
  shift: number; // the channel in which they differ most
  spread: number;
}

function boxOf(colours: [Colour, number][]): Box {
  let [shift, spread] = [0, -1];
  for (const s of [0, 8, 16]) {
    const values = colours.map(([c]) => part(c, s));
    const wide = Math.max(...values) - Math.min(...values);
    if (wide > spread) [shift, spread] = [s, wide];
  }
  const weight = colours.reduce((sum, [, n]) => sum + n, 0);
  return { colours, shift, spread: spread * Math.log2(1 + weight) };
}

// Of each colour, the one that stands for it.
function few(counted: Map<Colour, number>): Map<Colour, Colour> {
  const boxes = [boxOf([...counted])];
  while (boxes.length < Math.min(kMost, counted.size)) {
    boxes.sort((a, b) => a.spread - b.spread);
    const { colours, shift } = boxes.pop()!;
    colours.sort(([a], [b]) => part(a, shift) - part(b, shift));
    const half = colours.reduce((sum, [, n]) => sum + n, 0) / 2;
    let [at, sum] = [0, 0];
    while (at < colours.length - 1 && (at === 0 || sum + colours[at]![1] <= half)) sum += colours[at++]![1];
    boxes.push(boxOf(colours.slice(0, at)), boxOf(colours.slice(at)));
  }
  const out = new Map<Colour, Colour>();
  for (const { colours } of boxes) {
    const [stands] = colours.reduce((most, one) => (one[1] > most[1] ? one : most));
    for (const [colour] of colours) out.set(colour, stands);
  }
  return out;
}

export function withPalette(png: Buffer): Buffer {
  const { width, height, pixels } = read(png);
  const counted = new Map<Colour, number>();
  for (const p of pixels) counted.set(p, (counted.get(p) ?? 0) + 1);
  const stands = few(counted);
  const palette = [...new Set(stands.values())].sort((a, b) => counted.get(b)! - counted.get(a)!);
  const index = new Map(palette.map((c, i) => [c, i]));
  const rows = Buffer.alloc(height * (width + 1)); // no filter: a 0 before each row
  for (let y = 0; y < height; ++y)
    for (let x = 0; x < width; ++x) rows[y * (width + 1) + 1 + x] = index.get(stands.get(pixels[y * width + x]!)!)!;
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap((c) => [part(c, 16), part(c, 8), part(c, 0)]));
  return Buffer.concat([
    kMark,
    chunk("IHDR", head),
    chunk("PLTE", colours),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
