import { resample, SAMPLE_RATE, toPcm } from "../../../robot/wire/audio-frames.ts";

/** Pieces a second: each is a frame of the robot. */
const PIECES = 50;

/**
 * Listens to this machine's microphone until the returned function is called.
 * @param worklet address of `public/microphone-worklet.js`
 * @throws Error in words for people: no permission, no microphone, no secure page
 */
export async function openMicrophone(worklet: URL, hear: (samples: Int16Array) => void): Promise<() => void> {
  if (navigator.mediaDevices === undefined)
    throw new Error("Browsers give their microphone to secure pages only: open the dashboard through localhost.");
  // The robot's own voice, which sounds here too, is taken out; the rest is left as it is.
  const audio = { echoCancellation: true, noiseSuppression: false, autoGainControl: false };
  const stream = await navigator.mediaDevices.getUserMedia({ audio }).catch((error: DOMException) => {
    const denied = error.name === "NotAllowedError";
    throw new Error(denied ? "The browser was not allowed to use the microphone." : `No microphone: ${error.message}`);
  });
  const context = new AudioContext();
  const close = (): void => {
    for (const track of stream.getTracks()) track.stop();
    void context.close();
  };
  try {
    await context.audioWorklet.addModule(worklet);
  } catch (error) {
    close();
    throw error;
  }
  const pieceOf = Math.round(context.sampleRate / PIECES);
  const ear = new AudioWorkletNode(context, "microphone", { processorOptions: { pieceOf }, numberOfOutputs: 0 });
  ear.port.onmessage = ({ data }: MessageEvent<Float32Array>) =>
    hear(toPcm(resample(data, context.sampleRate, SAMPLE_RATE)));
  new MediaStreamAudioSourceNode(context, { mediaStream: stream }).connect(ear);
  return close;
}
