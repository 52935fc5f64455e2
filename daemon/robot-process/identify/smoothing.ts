/** Samples to both sides from which a slope is computed. */
const REACH = 2;

/**
 * The derivative of a signal: the slope of the least-squares line through five samples. At the ends, of fewer.
 *
 * @param time seconds
 */
export function derivative(time: ArrayLike<number>, values: ArrayLike<number>): Float64Array {
  const result = new Float64Array(values.length);
  for (let sample = 0; sample < values.length; sample += 1) {
    const [from, to] = [Math.max(0, sample - REACH), Math.min(values.length - 1, sample + REACH)];
    let [meanTime, meanValue] = [0, 0];
    for (let k = from; k <= to; k += 1) {
      meanTime += (time[k] ?? 0) / (to - from + 1);
      meanValue += (values[k] ?? 0) / (to - from + 1);
    }
    let [product, square] = [0, 0];
    for (let k = from; k <= to; k += 1) {
      product += ((time[k] ?? 0) - meanTime) * ((values[k] ?? 0) - meanValue);
      square += ((time[k] ?? 0) - meanTime) ** 2;
    }
    result[sample] = square === 0 ? 0 : product / square;
  }
  return result;
}

/** Weights of five samples that delay and flatten a signal exactly as `derivative` does. */
const WEIGHTS = [0.1, 0.25, 0.3, 0.25, 0.1];

/** The signal as `derivative` sees it, so that both can stand in one equation. */
export function smooth(values: ArrayLike<number>): Float64Array {
  return Float64Array.from({ length: values.length }, (_, sample) =>
    WEIGHTS.reduce((sum, weight, k) => {
      const at = Math.max(0, Math.min(values.length - 1, sample + k - REACH));
      return sum + weight * (values[at] ?? 0);
    }, 0),
  );
}
