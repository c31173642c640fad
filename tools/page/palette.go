package main

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"slices"
)

// shrink returns a PNG with 256 frequent and different colors of another one. A
// screenshot has few others, at the edges of letters, and a picture in a repository
// stays forever.
func shrink(picture []byte) ([]byte, error) {
	full, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		return nil, err
	}
	counts := map[color.NRGBA]int{}
	for y := full.Bounds().Min.Y; y < full.Bounds().Max.Y; y++ {
		for x := full.Bounds().Min.X; x < full.Bounds().Max.X; x++ {
			counts[color.NRGBAModel.Convert(full.At(x, y)).(color.NRGBA)]++
		}
	}
	frequent := slices.SortedFunc(maps.Keys(counts), func(a, b color.NRGBA) int { return cmp.Compare(counts[b], counts[a]) })
	chosen := color.Palette{}
	for _, c := range frequent {
		alike := func(other color.Color) bool { return near(c, other.(color.NRGBA)) }
		if len(chosen) < 256 && !slices.ContainsFunc(chosen, alike) {
			chosen = append(chosen, c)
		}
	}
	small := image.NewPaletted(full.Bounds(), chosen)
	draw.Draw(small, small.Bounds(), full, full.Bounds().Min, draw.Src)
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	err = encoder.Encode(&out, small)
	return out.Bytes(), err
}

// near reports whether nobody sees the difference of two colors.
func near(a, b color.NRGBA) bool {
	apart := func(x, y uint8) int { return max(int(x), int(y)) - min(int(x), int(y)) }
	return max(apart(a.R, b.R), apart(a.G, b.G), apart(a.B, b.B)) < 5
}
