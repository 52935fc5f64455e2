/** The part of the package's API that is used here; it comes without types. */
declare module "@cornerstonejs/codec-libjpeg-turbo-8bit/wasmjs" {
  export interface FrameInfo {
    readonly width: number;
    readonly height: number;
    readonly bitsPerSample: 8;
    /** 1: grey; 3: red, green, blue. */
    readonly componentCount: 1 | 3;
    readonly isSigned: false;
  }

  /** One picture after the other: fill the decoded buffer, encode, take the encoded buffer. */
  export interface JPEGEncoder {
    /** Memory of WebAssembly for the pixels of the next picture, valid until the next call of any function. */
    getDecodedBuffer(frame: FrameInfo): Uint8Array;
    encode(): void;
    /** A copy. */
    getEncodedBuffer(): Uint8ClampedArray<ArrayBuffer>;
    /** 1 to 100. */
    setQuality(quality: number): void;
    /** 0 for baseline. */
    setProgressive(isProgressive: 0 | 1): void;
    /** 0 for 4:4:4, 1 for 4:2:2, 2 for 4:2:0. */
    setSubSampling(sampling: 0 | 1 | 2): void;
  }

  /** Compiles the WebAssembly, which it finds next to itself. */
  export default function createCodec(): Promise<{ readonly JPEGEncoder: new () => JPEGEncoder }>;
}
